import { searchKey } from '../../src/events/search-key.ts'
import { ensurePartitions } from '../../src/maintenance/ensure-partitions.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newAccount, uuidOf, type VerbContext } from '../verbs/verb-context.ts'

export const rows = 1_000_000
const replayed = 50_000
const dayMs = 86_400_000

/** An account with a million deliveries. */
export interface LongHistory {
  accountId: string
  webhookId: string
}

/** An event in the middle of the history, a replay of every twentieth delivery, and an address with every hundredth mail. */
export interface OrdinaryHistory extends LongHistory {
  someEvent: string
  someDelivery: string
  replayId: string
  recipient: string
}

async function newLongHistory(ctx: VerbContext): Promise<LongHistory> {
  const accountId = await newAccount(ctx)
  const webhook = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  return { accountId, webhookId: uuidOf('wh', webhook.id) }
}

/** SQL for ids by their number `n`. They spread over all partitions, because the planner may scan an empty partition. */
export type IdsInTime = (tail: string) => string

export async function spreadIds({ db }: VerbContext): Promise<IdsInTime> {
  const firstDayMs = Math.floor(Date.now() / dayMs) * dayMs - 8 * dayMs
  for (let day = 1; day <= 8; day++) await ensurePartitions(db, firstDayMs + day * dayMs)
  const [span] = await db.query<{ days: number }>(
    `select count(*) as days from pg_inherits where inhparent = 'event'::regclass`,
  )
  const stepMs = ((span?.days ?? 0) * dayMs - 1) / rows
  return tail =>
    `(lpad(to_hex((${firstDayMs} + (n * ${stepMs}))::bigint), 12, '0') || '7000' || '8' || '${tail}' || lpad(to_hex(n), 14, '0'))::uuid`
}

/** Inserts in slices, because a busy machine may need longer for a million rows than the statement timeout. */
async function inSlices(insert: (from: number, to: number) => Promise<unknown>): Promise<void> {
  const slice = 100_000
  for (let from = 0; from < rows; from += slice) await insert(from, from + slice - 1)
}

/** A typical long history: most deliveries are delivered, few are given up, and few are queued. */
export async function storeOrdinaryHistory(ctx: VerbContext, uuid: IdsInTime): Promise<OrdinaryHistory> {
  const { db } = ctx
  const { accountId, webhookId } = await newLongHistory(ctx)
  const recipient = 'ann@example.org'
  const type = `(case when n % 1000 = 0 then 'email.unsubscribed' when n % 50 = 0 then 'email.bounced' else 'email.delivered' end)::event_type`
  await inSlices(
    async (from, to) =>
      await db.query(
        `insert into event (account_id, id, type, search_keys, body)
     select $1, ${uuid('e')}, ${type}, array[n, case when n % 100 = 0 then $2::bigint else 10000000 + n % 500000 end]::bigint[],
       convert_to('{"data":{"email_id":"em_1","to":["ann@example.org"]}}', 'utf8')
     from generate_series(${from}::int, ${to}::int) n`,
        [accountId, searchKey(accountId, 'recipient', recipient)],
      ),
  )
  await inSlices(
    async (from, to) =>
      await db.query(
        `insert into delivery (account_id, id, endpoint_id, event_id, type, sequence, state, reason, attempt_count,
       last_error_code)
     select $1, ${uuid('d')}, $2, ${uuid('e')}, ${type}, n + 1,
       (case when n % 2000 = 7 then 'exhausted' when n % 1000 = 3 then 'failed' when n % 5000 = 4 then 'pending'
             else 'delivered' end)::delivery_state,
       case when n % 2000 = 7 then 'retries_used' end, 1,
       case when n % 2000 = 7 then 'status_not_2xx' when n % 1000 = 3 then 'connect_timeout' end
     from generate_series(${from}::int, ${to}::int) n`,
        [accountId, webhookId],
      ),
  )
  await db.query(
    `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
     select account_id, id, endpoint_id, event_id, now(), sequence from delivery where state in ('pending', 'failed')`,
  )
  // and another account's backlog
  await db.query(
    `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
     select $1, gen_random_uuid(), $1, $1, now(), n from generate_series(1, 100000) n`,
    [webhookId],
  )
  await inSlices(
    async (from, to) =>
      await db.query(
        `insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms)
       select account_id, id, id, 1, 'schedule', 5 from delivery
       where endpoint_id = $1 and sequence between $2 and $3`,
        [webhookId, from + 1, to + 1],
      ),
  )
  await inSlices(
    async (from, to) =>
      await db.query(
        `insert into audit_entry (account_id, id, actor, operator_name, operator_method, action, target)
     select $1, ${uuid('a')}, 'operator', 'operator', 'admin_token', case when n % 1000 = 0 then 'api_key.created' else 'webhook.updated' end,
       'wh_' || n % 100
     from generate_series(${from}::int, ${to}::int) n`,
        [accountId],
      ),
  )
  const replayId = newId(ctx)
  await db.query(
    `insert into replay (account_id, id, endpoint_id, state, from_id, to_id, states, types, total, done)
     values ($1, $2, $3, 'running', $2, $2, '{delivered}', '{}', $4, $4)`,
    [accountId, replayId, webhookId, replayed],
  )
  await db.query(
    `insert into replay_delivery (account_id, replay_id, delivery_id)
     select account_id, $2, id from delivery where account_id = $1 and sequence % ${rows / replayed} = 0`,
    [accountId, replayId],
  )
  const [middle] = await db.query<{ id: string; event_id: string }>(
    'select id, event_id from delivery where endpoint_id = $1 and sequence = $2',
    [webhookId, rows / 2],
  )

  return {
    accountId,
    webhookId,
    someEvent: middle?.event_id ?? '',
    someDelivery: middle?.id ?? '',
    replayId,
    recipient,
  }
}

/** The outcome statistics of a month: of this account, with ten domains in each row, and of thirty others. */
export async function storeOutcomeStatistics({ db }: VerbContext, accountId: string): Promise<void> {
  await db.query(
    `insert into outcome_stat (account_id, at, width_seconds, type, reason, count, domains, domain_counts)
     select case when account = 0 then $1 else ('00000000-0000-4000-8000-' || lpad(account::text, 12, '0'))::uuid end,
       date_bin(width * interval '1 second', now(), 'epoch') - age * interval '1 second', width, type::event_type, reason, 100,
       case when account = 0 then array(select 'd' || n || '.example' from generate_series(1, 10) n) else '{}' end,
       case when account = 0 then array_fill(9::bigint, array[10]) else '{}' end
     from generate_series(0, 30) account,
       (select 60 as width, age from generate_series(60, 86400, 60) age
        union all select 900, age from generate_series(86400, 8 * 86400, 900) age
        union all select 21600, age from generate_series(8 * 86400, 30 * 86400, 21600) age) rows,
       (values ('email.delivered', ''), ('email.bounced', 'invalid_recipient'), ('email.failed', 'mailbox_full'),
         ('email.unsubscribed', 'complaint')) outcome (type, reason)`,
    [accountId],
  )
}

/** A million deliveries wait for a disabled endpoint, and three failed ones behind them wait for another endpoint. */
export async function storeBacklog(
  ctx: VerbContext,
  uuid: IdsInTime,
): Promise<LongHistory & { otherWebhookId: string; lastDelivery: string }> {
  const { db } = ctx
  const { accountId, webhookId } = await newLongHistory(ctx)
  const other = await createWebhook(ctx, accountId, { url: 'https://other.example.com/' })
  const otherWebhookId = uuidOf('wh', other.id)
  await db.query(`update endpoint set status = 'disabled' where id = $1`, [webhookId])
  await inSlices(
    async (from, to) =>
      await db.query(
        `insert into delivery (account_id, id, endpoint_id, event_id, type, sequence, state, last_error_code)
     select $1, ${uuid('d')}, case when n < 3 then $3::uuid else $2::uuid end, ${uuid('e')}, 'email.bounced', n + 1,
       case when n < 3 then 'failed'::delivery_state else 'pending' end, case when n < 3 then 'tls_expired' end
     from generate_series(${from}::int, ${to}::int) n`,
        [accountId, webhookId, otherWebhookId],
      ),
  )
  await inSlices(
    async (from, to) =>
      await db.query(
        `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       select account_id, id, endpoint_id, event_id, now(), sequence from delivery
       where endpoint_id in ($1, $2) and sequence between $3 and $4`,
        [webhookId, otherWebhookId, from + 1, to + 1],
      ),
  )
  const [last] = await db.query<{ id: string }>(
    'select delivery_id as id from queue where endpoint_id = $1 order by due_at desc, ctid desc limit 1',
    [webhookId],
  )
  return { accountId, webhookId, otherWebhookId, lastDelivery: last?.id ?? '' }
}
