import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { getEvent } from '../../src/events/get-event.ts'
import { dropOldPartitions } from '../../src/maintenance/drop-old-partitions.ts'
import { ensurePartitions } from '../../src/maintenance/ensure-partitions.ts'
import type { ExpiredDeliveries } from '../../src/maintenance/expire-queued.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { getStats } from '../../src/stats/get-stats.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'
import { claimDelivery, loseDelivery, queueRow, storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'

const dayMs = 86_400_000

describe.each(allBackends())('retention on $name', backend => {
  let db: Database
  let now: VerbContext
  let told: ExpiredDeliveries[]
  beforeEach(async () => {
    db = await openTestDatabase(backend)
    now = verbContext(db)
    told = []
  })
  afterEach(async () => await db[Symbol.asyncDispose]())

  const run = async (retentionDays = 30) =>
    await dropOldPartitions({ db, settings: { ...now.settings, retentionDays } }, Date.now(), {
      embedded: backend.serverUrl === null,
      onExpired: one => told.push(one),
    })

  /** A context `days` days ago, with the partitions of that day. */
  async function daysAgo(days: number): Promise<VerbContext> {
    let nowMs = Date.now() - days * dayMs
    await ensurePartitions(db, nowMs)
    return { ...now, random: { ...now.random }, clock: { ...now.clock, nowMs: () => ++nowMs } }
  }

  async function newEndpoint() {
    const accountId = await newAccount(now)
    const webhook = await createWebhook(now, accountId, { url: 'https://hooks.example.com/' })
    return { accountId, webhookId: uuidOf('wh', webhook.id) }
  }

  async function partitions(): Promise<string[]> {
    const rows = await db.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relname ~ '^(event|delivery|attempt|email|email_recipient)_\\d+$'`,
    )
    return rows.map(row => row.name)
  }

  test('days past the retention period are dropped, with their outcome ids and recipient states; younger days stay', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const old = await daysAgo(40)
    const young = await daysAgo(20)
    const gone = await storeEvent(old, accountId, {})
    const goneDelivery = await storeDelivery(old, accountId, webhookId, gone, {
      state: 'delivered',
      attempts: 1,
    })
    const kept = await storeEvent(young, accountId, {})
    const keptDelivery = await storeDelivery(young, accountId, webhookId, kept, {
      state: 'delivered',
      attempts: 1,
    })
    for (const [n, { id }] of [gone, kept].entries()) {
      await db.query('insert into outcome_key (account_id, digest, event_id) values ($1, $2, $3)', [
        accountId,
        Buffer.alloc(16, n),
        id,
      ])
      await db.query(
        `insert into recipient_state (account_id, digest, state, event_id) values ($1, $2, 'delivered', $3)`,
        [accountId, Buffer.alloc(16, n), id],
      )
    }
    const before = (await partitions()).length

    const report = await run()
    expect(report).toMatchObject({ expired: 0, outcomesForgotten: 1, recipientsForgotten: 1 })
    // 42 to 38 days ago, with five tables each
    expect(report.dropped).toHaveLength(20)
    expect(await partitions()).toHaveLength(before - 20)
    expect(await refusal(getEvent(now, accountId, gone.id))).toBe('not_found')
    expect(await refusal(getDelivery(now, accountId, goneDelivery))).toBe('not_found')
    expect((await getEvent(now, accountId, kept.id)).deliveries).toHaveLength(1)
    expect((await getDelivery(now, accountId, keptDelivery)).state).toBe('delivered')
    const keys = await db.query<{ event_id: string }>('select event_id from outcome_key')
    expect(keys).toEqual([{ event_id: kept.id }])
    const states = await db.query<{ event_id: string }>('select event_id from recipient_state')
    expect(states).toEqual([{ event_id: kept.id }])
    expect(await run()).toEqual({ expired: 0, dropped: [], outcomesForgotten: 0, recipientsForgotten: 0 })
  })

  test('queued deliveries become exhausted and are counted and reported before their day is dropped', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const old = await daysAgo(31.5)
    const event = await storeEvent(old, accountId, {})
    for (const state of ['pending', 'failed', 'failed'] as const) {
      await storeDelivery(old, accountId, webhookId, event, { state, attempts: state === 'failed' ? 3 : 0 })
    }
    const today = await storeDelivery(now, accountId, webhookId, await storeEvent(now, accountId, {}))
    expect((await run()).expired).toBe(3)
    expect(told).toEqual([{ accountId, endpointId: webhookId, count: 3 }])
    const [endpoint] = await db.query<{ expired_deliveries: number }>(
      'select expired_deliveries from endpoint where id = $1',
      [webhookId],
    )
    expect(endpoint?.expired_deliveries).toBe(3)
    const { data } = await getStats(verbContext(db), accountId, {})
    expect(data.map(point => point.exhausted).reduce((sum, count) => sum + count)).toBe(3)
    expect(await queueRow(now, today)).toBeDefined()
  })

  test('in the hour before its day is dropped, an expired delivery says so and cannot be retried', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const noonMs = Math.floor(Date.now() / dayMs) * dayMs + dayMs / 2
    await ensurePartitions(db, noonMs - 5 * dayMs)
    let clockMs = noonMs - 5 * dayMs
    const old = { ...now, random: { ...now.random }, clock: { ...now.clock, nowMs: () => ++clockMs } }
    const id = await storeDelivery(old, accountId, webhookId, await storeEvent(old, accountId, {}), {
      state: 'failed',
      attempts: 1,
    })
    // its day ended four days and half an hour ago
    const report = await dropOldPartitions(
      { db, settings: { ...now.settings, retentionDays: 4 } },
      noonMs - 0.5 * dayMs + 30 * 60_000,
      {
        embedded: backend.serverUrl === null,
        onExpired: one => told.push(one),
      },
    )
    expect(report.expired).toBe(1)
    expect(await getDelivery(now, accountId, id)).toMatchObject({ state: 'exhausted', reason: 'expired' })
    expect(await refusal(retryDelivery(now, accountId, id))).toBe('event_expired')
  })

  test('a day with an attempt in flight stays until the attempt has ended', async () => {
    const { accountId, webhookId } = await newEndpoint()
    const old = await daysAgo(40)
    const id = await storeDelivery(old, accountId, webhookId, await storeEvent(old, accountId, {}))
    await claimDelivery(old, id)
    const report = await run()
    expect(report.expired).toBe(0)
    expect(await getDelivery(now, accountId, id)).toMatchObject({ state: 'pending' })
    await loseDelivery(old, id)
    expect((await run()).expired).toBe(1)
    expect(await refusal(getDelivery(now, accountId, id))).toBe('not_found')
  })

  test('a run that was interrupted after detaching a partition is completed by the next run', async () => {
    await daysAgo(40)
    const [name] = (await partitions()).filter(one => one.startsWith('event_')).toSorted()
    await db.query(`alter table event detach partition ${name}`)
    expect((await run()).dropped).toContain(name)
    expect(await partitions()).not.toContain(name)
  })
})
