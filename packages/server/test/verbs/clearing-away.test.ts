import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteAccount } from '../../src/accounts/delete-account.ts'
import { createApiKey } from '../../src/api-keys/create-api-key.ts'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { purgeDeletedAccounts } from '../../src/maintenance/purge-deleted-accounts.ts'
import { purgeIdempotencyKeys } from '../../src/maintenance/purge-idempotency-keys.ts'
import { settleDeletedEndpoints } from '../../src/maintenance/settle-deleted-endpoints.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { claimDelivery, loseDelivery, queueRow, storeDelivery, storeEvent } from './stored-delivery.ts'
import { newAccount, uuidOf, verbContext, type VerbContext } from './verb-context.ts'

const everyOwnedTable = [
  'queue',
  'attempt',
  'delivery',
  'event',
  'outcome_key',
  'recipient_state',
  'idempotency_key',
  'signing_key',
  'endpoint',
  'api_key',
]

describe.each(verbBackends())('cleanup on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('undelivered deliveries of a deleted endpoint become exhausted with a reason; others are unaffected', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {})
    const pending = await storeDelivery(ctx, accountId, webhookId, event)
    const failed = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'failed',
      attempts: 2,
      retriesUsed: 1,
    })
    const delivered = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'delivered',
      attempts: 1,
    })
    const resent = await storeDelivery(ctx, accountId, webhookId, event, { state: 'delivered', attempts: 1 })
    await retryDelivery(ctx, accountId, resent)
    const neighbour = uuidOf('wh', (await createWebhook(ctx, accountId, { url: 'https://example.com/' })).id)
    const kept = await storeDelivery(ctx, accountId, neighbour, event)

    await deleteWebhook(ctx, accountId, webhookId)
    expect(await settleDeletedEndpoints(ctx)).toEqual({ settled: 3 })

    const stateOf = async (id: string) => {
      const { state, reason } = await getDelivery(ctx, accountId, id)
      return [state, reason]
    }
    expect(await stateOf(pending)).toEqual(['exhausted', 'endpoint_deleted'])
    expect(await stateOf(failed)).toEqual(['exhausted', 'endpoint_deleted'])
    expect(await stateOf(delivered)).toEqual(['delivered', null])
    expect(await stateOf(resent)).toEqual(['delivered', null])
    expect(await queueRow(ctx, failed)).toBeUndefined()
    expect(await stateOf(kept)).toEqual(['pending', null])
    expect(await queueRow(ctx, kept)).toBeDefined()
    expect(await settleDeletedEndpoints(ctx)).toEqual({ settled: 0 })
  })

  test('a leased delivery of a deleted endpoint is left to its process until the lease ends', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, await storeEvent(ctx, accountId, {}))
    await claimDelivery(ctx, deliveryId)
    await deleteWebhook(ctx, accountId, webhookId)
    expect(await settleDeletedEndpoints(ctx)).toEqual({ settled: 0 })
    await loseDelivery(ctx, deliveryId)
    expect(await settleDeletedEndpoints(ctx)).toEqual({ settled: 1 })
    expect(await db.query('select claim from delivery where id = $1', [deliveryId])).toEqual([{ claim: 1 }])
  })

  test('more than a batch of queued deliveries is settled in one run', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const event = await storeEvent(ctx, accountId, {})
    const ids = Array.from({ length: 1_500 }, () => newId(ctx))
    await db.query(
      `insert into delivery (account_id, id, endpoint_id, event_id, type, sequence)
       select $1, id, $2, $3, 'email.delivered', n from unnest($4::uuid[]) with ordinality as made (id, n)`,
      [accountId, webhookId, event.id, ids],
    )
    await db.query(
      `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       select account_id, id, endpoint_id, event_id, now(), sequence from delivery where endpoint_id = $1`,
      [webhookId],
    )
    await deleteWebhook(ctx, accountId, webhookId)
    expect(await settleDeletedEndpoints(ctx)).toEqual({ settled: 1_500 })
  })

  test('an account that was deleted an hour ago leaves no row, and another account keeps all its rows', async () => {
    const [gone, neighbour] = [await fullAccount(), await fullAccount()]
    const neighboursRows = await rowsOf(neighbour)
    expect(Object.values(neighboursRows).every(count => count > 0)).toBe(true)

    await deleteAccount(ctx, gone)
    expect((await purgeDeletedAccounts(db, Date.now())).accounts).toBe(0)
    await db.query(`update account set deleted_at = deleted_at - interval '61 minutes' where id = $1`, [gone])
    expect((await purgeDeletedAccounts(db, Date.now())).accounts).toBe(1)

    expect(Object.values(await rowsOf(gone)).every(count => count === 0)).toBe(true)
    expect(await db.query('select id from account where id = $1', [gone])).toEqual([])
    expect(await rowsOf(neighbour)).toEqual(neighboursRows)
  })

  test('more than a batch of rows is purged in one run', async () => {
    const accountId = await newAccount(ctx)
    await db.query(
      `insert into outcome_key (account_id, digest, event_id)
       select $1, int4send(n), $1 from generate_series(1, 12000) as n`,
      [accountId],
    )
    await db.query(`update account set deleted_at = now() - interval '2 hours' where id = $1`, [accountId])
    expect(await purgeDeletedAccounts(db, Date.now())).toEqual({ accounts: 1, rows: 12_000 })
  })

  test('idempotency keys are kept for a day', async () => {
    const accountId = await newAccount(ctx)
    await db.query(
      `insert into idempotency_key (account_id, key, request_digest, created_at)
       values ($1, 'old', '', now() - interval '24 hours 1 second'), ($1, 'young', '', now() - interval '23 hours 59 minutes')`,
      [accountId],
    )
    expect((await purgeIdempotencyKeys(db, Date.now())).purged).toBe(1)
    expect(await db.query('select key from idempotency_key where account_id = $1', [accountId])).toEqual([
      { key: 'young' },
    ])
  })

  async function newEndpoint(): Promise<{ accountId: string; webhookId: string }> {
    const accountId = await newAccount(ctx)
    return {
      accountId,
      webhookId: uuidOf('wh', (await createWebhook(ctx, accountId, { url: 'https://example.com/' })).id),
    }
  }

  /** Creates an account with a row in every table. */
  async function fullAccount(): Promise<string> {
    const { accountId, webhookId } = await newEndpoint()
    await createApiKey(ctx, accountId, { name: 'k', scopes: ['read'] })
    const event = await storeEvent(ctx, accountId, {})
    const deliveryId = await storeDelivery(ctx, accountId, webhookId, event)
    await db.query(
      `insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms) values ($1, $2, $3, 1, 'test', 1)`,
      [accountId, deliveryId, newId(ctx)],
    )
    await db.query(`insert into outcome_key (account_id, digest, event_id) values ($1, '\\x00', $2)`, [
      accountId,
      event.id,
    ])
    await db.query(
      `insert into recipient_state (account_id, digest, state, event_id) values ($1, '\\x00', 'failed', $2)`,
      [accountId, event.id],
    )
    await db.query(`insert into idempotency_key (account_id, key, request_digest) values ($1, 'k', '')`, [
      accountId,
    ])
    return accountId
  }

  async function rowsOf(accountId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const table of everyOwnedTable) {
      const [row] = await db.query<{ count: number }>(
        `select count(*) as count from ${table} where account_id = $1`,
        [accountId],
      )
      counts[table] = row?.count ?? -1
    }
    return counts
  }
})
