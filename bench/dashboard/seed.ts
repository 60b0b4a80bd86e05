import { typeId } from '../../packages/server/src/domain/type-id.ts'
import { openDatabase } from '../../packages/server/src/db/open-database.ts'
import { migrate } from '../../packages/server/src/db/migrate.ts'
import { ensurePartitions } from '../../packages/server/src/maintenance/ensure-partitions.ts'
import { rows, storeOrdinaryHistory } from '../../packages/server/test/operations/million-rows.ts'
import { createSeal } from '../../packages/server/src/seal/seal.ts'
import type { Installation } from '../../packages/server/test/support/service-process.ts'
import { verbContext } from '../../packages/server/test/verbs/verb-context.ts'

const dayMs = 86_400_000
const days = 7

/** Stores a million deliveries of one account over the last week and returns the id of the account. */
export async function seed({ place, masterKeys }: Installation): Promise<string> {
  await using db = await openDatabase({
    url: place.databaseUrl,
    dataDir: place.dataDir,
    connectionsMax: 4,
    onLost: error => {
      throw error
    },
  })
  await migrate(db)
  const nowMs = Date.now()
  for (let day = 0; day <= days; day++) await ensurePartitions(db, nowMs - day * dayMs)
  const stepMs = (days * dayMs) / rows
  const ctx = verbContext(db)
  const [id = '', key = ''] = masterKeys.split(':')
  const { accountId, webhookId } = await storeOrdinaryHistory(
    // the service decrypts the endpoint's secret
    { ...ctx, seal: createSeal([{ id, key: Buffer.from(key, 'base64') }], ctx.random) },
    tail =>
      `(lpad(to_hex((${nowMs - days * dayMs} + n * ${stepMs})::bigint), 12, '0') || '70008${tail}' || lpad(to_hex(n), 14, '0'))::uuid`,
  )
  // no delivery is due during the measurement
  await db.query(`update queue set due_at = now() + interval '20 days'`)
  await db.query(
    `insert into attempt_stat (account_id, endpoint_id, at, width_seconds, result, count, last_at, latency_buckets, latency_counts)
     select $1, $2, to_timestamp(floor(extract(epoch from now()) / 900) * 900 - quarter * 900), 900, result, count, now(),
       array[20, 40, 60]::smallint[], array[count / 2, count / 4, count / 4]
     from generate_series(0, ${days * 96}) quarter, (values ('delivered', 1480::bigint), ('status_not_2xx', 8), ('connect_timeout', 4)) as r (result, count)`,
    [accountId, webhookId],
  )
  await db.query(
    // as many domains as there can be, in rows as wide as their age
    `insert into outcome_stat (account_id, at, width_seconds, type, reason, count, domains, domain_counts)
     select $1, to_timestamp(floor(extract(epoch from now()) / width) * width - n * width), width, type::event_type, reason,
       ceil(each * 110.0 * width / 900),
       array(select 'domain-' || d || '.example' from generate_series(1, least(100, each * 7 * width / 60)) d),
       array_fill(ceil(each * width / 900.0)::bigint, array[least(100, each * 7 * width / 60)::int])
     from (values (60, 0, 179), (900, 12, 191), (7200, 24, ${days * 12})) as w (width, first, last),
       generate_series(w.first, w.last) n,
       (values ('email.delivered', '', 13::bigint),
       ('email.bounced', 'invalid_recipient', 1), ('email.bounced', 'invalid_domain', 1), ('email.failed', 'ip_blocked', 1),
       ('email.failed', 'mailbox_full', 1), ('email.unsubscribed', 'one_click', 1), ('email.unsubscribed', 'complaint', 1))
       as o (type, reason, each)`,
    [accountId],
  )
  for (const table of [
    'event',
    'delivery',
    'attempt',
    'queue',
    'audit_entry',
    'attempt_stat',
    'outcome_stat',
  ])
    await db.query(`vacuum analyze ${table}`)
  return typeId('acct', accountId)
}
