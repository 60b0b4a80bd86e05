import { examples } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountTables } from '../../src/accounts/account-tables.ts'
import { getBranding } from '../../src/accounts/get-branding.ts'
import { updateBranding } from '../../src/accounts/update-branding.ts'
import { createApiKey } from '../../src/api-keys/create-api-key.ts'
import { createProviderSource } from '../../src/providers/create-provider-source.ts'
import type { Queryable } from '../../src/db/database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { newId } from '../../src/new-id.ts'
import { purgeMovedAccounts } from '../../src/maintenance/purge-moved-accounts.ts'
import { parseMasterKeys } from '../../src/seal/master-keys.ts'
import { createSeal } from '../../src/seal/seal.ts'
import { createReplay } from '../../src/replays/create-replay.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { createPortalSession } from '../../src/sessions/create-portal-session.ts'
import { addListed } from '../../src/suppressions/add-listed.ts'
import { sendTestEvent } from '../../src/webhooks/send-test-event.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { movedColumns } from '../../src/moves/publication.ts'
import { makeCertificate } from '../egress/certificate.ts'
import { findPostgres } from '../support/postgres-server.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { startTwoShards, type TwoShards } from './two-shards.ts'

const places = [
  { what: 'two servers', installation: findPostgres()[0], servers: 2 },
  { what: 'one server', installation: findPostgres().at(-1), servers: 1 },
] as const

describe.each(places)('an account with rows in every table, on $what', ({ installation, servers }) => {
  let shards: TwoShards
  let ctx: VerbContext
  beforeAll(async () => {
    shards = await startTwoShards(installation, { servers })
    const plain = verbContext(shards.databases[0])
    ctx = { ...plain, seal: createSeal(parseMasterKeys(shards.installations[0].masterKeys), plain.random) }
  })
  afterAll(async () => await shards[Symbol.asyncDispose]())

  test('moves there and back with each of them, and leaves nothing behind', async () => {
    const [zero, one] = shards.databases
    const accountId = await newAccount(ctx)
    await fill(accountId)
    const branding = await updateBranding(ctx, accountId, examples.updateBranding.body)
    const neighbour = await newAccount(ctx)
    await fill(neighbour)
    const before = await rowsOf(zero, accountId)
    for (const { table } of accountTables) expect(before[table]?.length, table).toBeGreaterThan(0)
    const neighbourBefore = await rowsOf(zero, neighbour)
    const move = async (to: string): Promise<void> => {
      const account = typeId('acct', accountId)
      expect(await shards.run(['accounts', 'move', account, '--to', to])).toMatchObject({ code: 0 })
    }

    await move('1')
    expect(await rowsOf(one, accountId)).toEqual(before)
    expect(await getBranding({ db: one }, accountId)).toEqual(branding)
    expect(await shards.replication()).toEqual([])
    await refuseLateWrites(accountId)
    expect(await one.query('select from queue where process is not null')).toEqual([])
    for (const table of ['attempt', 'event', 'attempt_stat', 'outcome_stat'])
      expect(await one.query(`select from ${table} where process is not null`), table).toEqual([])
    expect(await rowsOf(zero, neighbour)).toEqual(neighbourBefore)
    expect((await one.query('select from account')).length).toBe(1)

    await move('0')
    expect(await rowsOf(zero, accountId)).toEqual(before)

    const inTwoHours = Date.now() + 2 * 3_600_000
    expect(await purgeMovedAccounts(one, Date.now())).toEqual({ accounts: 0, rows: 0 })
    expect(await purgeMovedAccounts(zero, inTwoHours)).toEqual({ accounts: 0, rows: 0 })
    expect((await purgeMovedAccounts(one, inTwoHours)).accounts).toBe(1)
    for (const rows of Object.values(await rowsOf(one, accountId))) expect(rows).toEqual([])
    expect(await one.query('select from account_move')).toEqual([])
    expect(await rowsOf(zero, accountId)).toEqual(before)
  })

  /** What requests and jobs do on the shard that the account has left, if they began before. */
  async function refuseLateWrites(accountId: string): Promise<void> {
    const [webhook] = await ctx.db.query<{ id: string }>(
      `select id from endpoint where account_id = $1 and status = 'moving'`,
      [accountId],
    )
    const webhookId = webhook?.id ?? ''
    const left = await rowsOf(ctx.db, accountId)
    await expect(sendTestEvent(ctx, accountId, webhookId, { type: 'email.bounced' })).rejects.toMatchObject({
      code: 'account_moving',
    })
    expect(await rowsOf(ctx.db, accountId)).toEqual(left)
  }

  /** All rows of an account without what belongs to one database or to the move, as text. */
  async function rowsOf(db: Queryable, accountId: string): Promise<Record<string, string[]>> {
    const all: Record<string, string[]> = {}
    for (const { table, local = [] } of accountTables) {
      const changing = table === 'endpoint' ? ['version'] : []
      const columns = await movedColumns(db, { table, local: [...local, ...changing] })
      const rows = await db.query<{ row: string }>(
        `select (${columns.join(', ')})::text as row from ${table} where account_id = $1 order by 1`,
        [accountId],
      )
      all[table] = rows.map(({ row }) => row)
    }
    return all
  }

  async function fill(accountId: string): Promise<void> {
    const { db } = ctx
    const client = makeCertificate({ name: 'client' })
    const webhook = await createWebhook(ctx, accountId, {
      url: 'https://example.com/',
      headers: { 'x-a': 'b' },
      client_certificate: { certificate: client.cert, private_key: client.key },
    })
    await createWebhook(ctx, accountId, { url: 'https://example.org/', enabled: false })
    const webhookId = uuidOf('wh', webhook.id)
    const event = await storeEvent(ctx, accountId, {})
    const eventId = event.id
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'failed',
      attempts: 2,
      retriesUsed: 1,
    })
    await createApiKey(ctx, accountId, { name: 'key', scopes: ['read'] })
    await addListed(ctx, accountId, [
      { address: 'a@example.com', reason: 'manual', scope: 'all_mail', list: null },
    ])
    await createReplay(ctx, accountId, webhookId, { since: '2026-01-01T00:00:00Z' })
    await createErasure(ctx, accountId, 'b@example.com')
    await createPortalSession(ctx, {
      account_id: typeId('acct', accountId),
      scopes: ['read'],
      expires_in_seconds: 3_600,
      allowed_origins: [],
    })
    const id = newId(ctx)
    await db.query('insert into replay_delivery select $1, $2, $3', [accountId, id, deliveryId])
    await db.query(
      `insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms, process, response_body)
       values ($1, $2, $3, 1, 'schedule', 1.25, 7, E'\\\\ "text"\\n')`,
      [accountId, deliveryId, id],
    )
    await db.query(
      `insert into attempt_stat (account_id, at, endpoint_id, width_seconds, process, result, count, latency_buckets, latency_counts, last_at)
       values ($1, now(), $2, 60, 7, 'delivered', 3, '{1,2}', '{1,2}', now()), ($1, now(), $2, 900, null, 'exhausted', 3, '{}', '{}', now())`,
      [accountId, webhookId],
    )
    await db.query('update event set process = 7 where account_id = $1', [accountId])
    await db.query(
      `insert into outcome_stat (account_id, at, width_seconds, process, type, reason, count, domains, domain_counts)
       values ($1, now(), 60, 7, 'email.failed', 'mailbox_full', 3, '{"one.example"}', '{2}'),
         ($1, now(), 900, null, 'email.delivered', '', 3, '{}', '{}')`,
      [accountId],
    )
    await db.query(
      `insert into email (account_id, id, from_address, subject, message_id, tags, unsubscribable)
       values ($1, $2, 'a@example.com', 'ü', 'm', '{"b": 1, "a": 2}', false)`,
      [accountId, id],
    )
    await db.query(`insert into email_content values ($1, $2, '\\x00ff')`, [accountId, id])
    await db.query(
      `insert into email_recipient (account_id, email_id, number, field, address, folded_address)
       values ($1, $2, 1, 'to', 'c@example.com', 'c@example.com')`,
      [accountId, id],
    )
    await db.query('insert into handover (account_id, email_id, number) values ($1, $2, 1)', [accountId, id])
    await db.query(
      `insert into sending_domain (account_id, id, name, selector, private_key_sealed, public_key, checks)
       values ($1, $2, $3, 's', $4, 'p', '{"a": [null]}')`,
      [
        accountId,
        id,
        `${accountId}.example`,
        ctx.seal.seal('dkim_key', { accountId, domainId: id }, Buffer.from('k')),
      ],
    )
    await createProviderSource(ctx, accountId, { kind: 'mailgun', key: 'a-webhook-signing-key' })
    await db.query('insert into endpoint_check values ($1, array[now()])', [accountId])
    await db.query('insert into sent_count values ($1, now(), 1, now(), 1)', [accountId])
    await db.query(`insert into outcome_key values ($1, '\\x01', $2)`, [accountId, eventId])
    await db.query(`insert into recipient_state values ($1, '\\x01', 'delivered', $2)`, [accountId, eventId])
    await db.query(
      `insert into idempotency_key (account_id, key, request_digest, status, response) values ($1, 'k', '\\x01', 200, '{}')`,
      [accountId],
    )
    await db.query(
      `insert into session (account_id, id, kind, token_hash, bearer, created_at, last_seen_at, expires_at)
       values ($1, $2, 'portal', $3, true, now(), now(), 'infinity')`,
      [accountId, id, Buffer.from(accountId)],
    )
  }
})
