import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Replay } from '@posthorn/contract'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { listDeliveries } from '../../src/deliveries/list-deliveries.ts'
import { advanceReplays } from '../../src/replays/advance-replays.ts'
import { cancelReplay } from '../../src/replays/cancel-replay.ts'
import { createReplay } from '../../src/replays/create-replay.ts'
import { getReplay } from '../../src/replays/get-replay.ts'
import { listReplays } from '../../src/replays/list-replays.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { uuidV7Ms } from '../../src/domain/uuid-v7.ts'
import { sendTestEvent } from '../../src/webhooks/send-test-event.ts'
import { updateWebhook } from '../../src/webhooks/update-webhook.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent, claimDelivery, queueRow } from '../verbs/stored-delivery.ts'
import { newAccount, refusal, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'

const since = '2020-01-01T00:00:00Z'

describe.each(verbBackends())('replays on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  async function newEndpoint(events?: ('email.delivered' | 'email.bounced')[]) {
    const accountId = await newAccount(ctx)
    const url = 'https://hooks.example.com/'
    const webhook = await createWebhook(ctx, accountId, { url, ...(events !== undefined && { events }) })
    return { accountId, webhookId: uuidOf('wh', webhook.id) }
  }

  async function start(
    { accountId, webhookId }: { accountId: string; webhookId: string },
    input: Partial<Parameters<typeof createReplay>[3]> = {},
  ): Promise<Replay> {
    const made = await createReplay(ctx, accountId, webhookId, { since, ...input })
    if ('dry_run' in made) throw new Error('this was a dry run')
    return made
  }

  /** Continues the replay until it has ended, at its own rate. */
  async function toTheEnd(accountId: string, replay: Replay): Promise<Replay> {
    const id = uuidOf('rpl', replay.id)
    return await until('the replay has ended', async () => {
      await advanceReplays(ctx)
      const now = await getReplay(ctx, accountId, id)
      return now.state === 'running' ? undefined : now
    })
  }

  test('failed and exhausted deliveries become due again with their event and sequence number; others stay unchanged', async () => {
    const endpoint = await newEndpoint()
    const { accountId, webhookId } = endpoint
    const event = await storeEvent(ctx, accountId, {})
    const failed = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'failed',
      attempts: 4,
      retriesUsed: 3,
    })
    const exhausted = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'exhausted',
      reason: 'retries_used',
      attempts: 13,
      retriesUsed: 12,
      claim: 15,
    })
    const delivered = await storeDelivery(ctx, accountId, webhookId, event, {
      state: 'delivered',
      attempts: 1,
    })
    const pending = await storeDelivery(ctx, accountId, webhookId, event)
    const wakes = ctx.wakes.count

    const replay = await start(endpoint)
    expect(replay).toMatchObject({ state: 'running', total: 2, done: 0, states: ['failed', 'exhausted'] })
    expect(await toTheEnd(accountId, replay)).toMatchObject({ state: 'done', total: 2, done: 2 })

    const again = { due: true, held: false, trigger: 'replay', retries_used: 0, was_delivered: false }
    expect(await queueRow(ctx, failed)).toMatchObject({ ...again, attempt_count: 4 })
    expect(await queueRow(ctx, exhausted)).toMatchObject({ ...again, attempt_count: 13, claim: 16 })
    expect(await getDelivery(ctx, accountId, exhausted)).toMatchObject({
      state: 'pending',
      reason: null,
      sequence: 2,
      retries_left: 12,
    })
    expect(await queueRow(ctx, delivered)).toBeUndefined()
    expect(await queueRow(ctx, pending)).toMatchObject({ due: false, trigger: 'schedule' })
    expect(ctx.wakes.count).toBeGreaterThan(wakes)
  })

  test('a dry run counts and changes nothing', async () => {
    const { accountId, webhookId } = await newEndpoint()
    for (let n = 0; n < 3; n++) {
      const event = await storeEvent(ctx, accountId, {})
      await storeDelivery(ctx, accountId, webhookId, event, { state: 'failed', attempts: 1 })
    }
    const before = await listDeliveries(ctx, accountId, webhookId, { limit: 50, after_sequence: undefined })
    const slow = { ...ctx, settings: { ...ctx.settings, drainPerSecond: 2 } }
    expect(await createReplay(slow, accountId, webhookId, { since, dry_run: true })).toEqual({
      dry_run: true,
      count: 3,
      first: before.data.at(-1)?.created_at,
      last: before.data[0]?.created_at,
      estimated_seconds: 2,
    })
    expect(
      await createReplay(ctx, accountId, webhookId, { since, states: ['missing'], dry_run: true }),
    ).toEqual({ dry_run: true, count: 0, first: null, last: null, estimated_seconds: 0 })
    expect((await listReplays(ctx, accountId, webhookId, { limit: 50 })).data).toEqual([])
  })

  test('a time range and event types limit a replay', async () => {
    const endpoint = await newEndpoint(['email.delivered'])
    const { accountId, webhookId } = endpoint
    const ids: string[] = []
    for (const type of ['email.delivered', 'email.bounced', 'email.delivered'] as const) {
      const event = await storeEvent(ctx, accountId, { type })
      ids.push(await storeDelivery(ctx, accountId, webhookId, event, { state: 'failed', attempts: 1 }))
    }
    const [, , last] = await Promise.all(ids.map(async id => await getDelivery(ctx, accountId, id)))
    const count = async (input: object) => {
      const made = await createReplay(ctx, accountId, webhookId, { since, dry_run: true, ...input })
      return 'count' in made ? made.count : null
    }
    // without types, those that the endpoint subscribes to
    expect(await count({})).toBe(2)
    expect(await count({ types: ['email.bounced'] })).toBe(1)
    expect(await count({ until: last?.created_at })).toBe(1)
    expect(await count({ since: last?.created_at })).toBe(1)
  })

  test('a replay takes only what it sends off the deliveries that a 410 gave up', async () => {
    const endpoint = await newEndpoint()
    const { accountId, webhookId } = endpoint
    const gone = { state: 'exhausted', reason: 'endpoint_gone', attempts: 1 } as const
    const first = await storeEvent(ctx, accountId, {})
    await storeDelivery(ctx, accountId, webhookId, first, gone)
    await storeDelivery(ctx, accountId, webhookId, first, gone)
    const bounce = await storeEvent(ctx, accountId, { type: 'email.bounced' })
    await storeDelivery(ctx, accountId, webhookId, bounce, gone)
    const goneSince = new Date(uuidV7Ms(first.id))
    await db.query('update endpoint set gone_deliveries = 3, gone_since = $2 where id = $1', [
      webhookId,
      goneSince,
    ])
    const left = async () => {
      const [row] = await db.query('select gone_deliveries, gone_since from endpoint where id = $1', [
        webhookId,
      ])
      return row
    }

    await start(endpoint, { until: '2020-01-02T00:00:00Z' })
    await start(endpoint, { states: ['failed'] })
    expect(await left()).toEqual({ gone_deliveries: 3, gone_since: goneSince })
    await start(endpoint, { types: ['email.bounced'] })
    expect(await left()).toEqual({ gone_deliveries: 2, gone_since: goneSince })
    await start(endpoint)
    expect(await left()).toEqual({ gone_deliveries: 0, gone_since: null })
  })

  test('missing events get deliveries only once, with the next sequence numbers and in the event’s millisecond', async () => {
    const endpoint = await newEndpoint()
    const { accountId, webhookId } = endpoint
    const had = await storeEvent(ctx, accountId, {})
    await storeDelivery(ctx, accountId, webhookId, had, { state: 'delivered', attempts: 1 })
    const missed = [await storeEvent(ctx, accountId, {}), await storeEvent(ctx, accountId, {})]
    const erased = await storeEvent(ctx, accountId, {})
    await db.query('update event set erased_at = now() where id = $1', [erased.id])
    const other = await createWebhook(ctx, accountId, { url: 'https://other.example.com/' })
    await sendTestEvent(ctx, accountId, uuidOf('wh', other.id), { type: 'email.delivered' })

    const replay = await start(endpoint, { states: ['missing'] })
    expect(replay.total).toBe(2)
    expect(await toTheEnd(accountId, replay)).toMatchObject({ state: 'done', total: 2, done: 2 })
    const made = await db.query<{ id: string; event_id: string; sequence: number }>(
      'select id, event_id, sequence from delivery where endpoint_id = $1 order by sequence offset 1',
      [webhookId],
    )
    expect(made.map(one => [one.event_id, one.sequence])).toEqual([
      [missed[0]?.id, 2],
      [missed[1]?.id, 3],
    ])
    for (const { id, event_id } of made) {
      expect(id.slice(0, 14)).toBe(event_id.slice(0, 14))
      expect(await queueRow(ctx, id)).toMatchObject({ due: true, trigger: 'replay', attempt_count: 0 })
    }
    expect(await start(endpoint, { states: ['missing'] })).toMatchObject({ total: 0 })
    const next = await sendTestEvent(ctx, accountId, webhookId, { type: 'email.delivered' })
    expect((await getDelivery(ctx, accountId, uuidOf('dlv', next.delivery_id))).sequence).toBe(4)
  })

  test('a replay skips erased and expired deliveries, and leaves an attempt in flight alone', async () => {
    const endpoint = await newEndpoint()
    const { accountId, webhookId } = endpoint
    const event = await storeEvent(ctx, accountId, {})
    const exhausted = { state: 'exhausted', attempts: 1 } as const
    const gone = [
      await storeDelivery(ctx, accountId, webhookId, event, { ...exhausted, reason: 'erased' }),
      await storeDelivery(ctx, accountId, webhookId, event, { ...exhausted, reason: 'expired' }),
    ]
    const erased = await storeEvent(ctx, accountId, {})
    gone.push(await storeDelivery(ctx, accountId, webhookId, erased, { state: 'delivered', attempts: 1 }))
    await db.query('update event set erased_at = now() where id = $1', [erased.id])
    const busy = await storeDelivery(ctx, accountId, webhookId, event, { state: 'failed', attempts: 1 })
    await claimDelivery(ctx, busy)

    const replay = await start(endpoint, { states: ['failed', 'exhausted', 'delivered'] })
    await toTheEnd(accountId, replay)
    for (const id of gone) expect(await queueRow(ctx, id)).toBeUndefined()
    expect(await queueRow(ctx, busy)).toMatchObject({ held: true, trigger: 'schedule' })
  })

  test('a replay of a completed delivery records that it was delivered before', async () => {
    const endpoint = await newEndpoint()
    const { accountId, webhookId } = endpoint
    const event = await storeEvent(ctx, accountId, {})
    const id = await storeDelivery(ctx, accountId, webhookId, event, { state: 'delivered', attempts: 1 })
    await toTheEnd(accountId, await start(endpoint, { states: ['delivered'] }))
    expect(await queueRow(ctx, id)).toMatchObject({ was_delivered: true, trigger: 'replay' })
  })

  test('a replay queues no more than its rate allows, however many processes advance it', async () => {
    const endpoint = await newEndpoint()
    const { accountId, webhookId } = endpoint
    const event = await storeEvent(ctx, accountId, {})
    for (let n = 0; n < 30; n++) {
      await storeDelivery(ctx, accountId, webhookId, event, { state: 'failed', attempts: 1 })
    }
    const slow = { ...ctx, settings: { ...ctx.settings, drainPerSecond: 5 } }
    const replay = await start(endpoint)
    await Promise.all(Array.from({ length: 4 }, async () => await advanceReplays(slow)))
    expect((await getReplay(ctx, accountId, uuidOf('rpl', replay.id))).done).toBe(5)
    // if the receiver does not answer, the replay stops at two seconds' worth
    await until('it has queued ten', async () => {
      await advanceReplays(slow)
      return (await getReplay(ctx, accountId, uuidOf('rpl', replay.id))).done === 10
    })
    await db.query(`update replay set paced_at = now() - interval '1 hour' where endpoint_id = $1`, [
      webhookId,
    ])
    await advanceReplays(slow)
    expect((await getReplay(ctx, accountId, uuidOf('rpl', replay.id))).done).toBe(10)
  })

  test('a cancelled replay queues nothing more; what it had queued stays queued', async () => {
    const endpoint = await newEndpoint()
    const { accountId, webhookId } = endpoint
    const event = await storeEvent(ctx, accountId, {})
    const ids: string[] = []
    for (let n = 0; n < 6; n++) {
      ids.push(await storeDelivery(ctx, accountId, webhookId, event, { state: 'failed', attempts: 1 }))
    }
    const replay = await start(endpoint)
    await advanceReplays({ ...ctx, settings: { ...ctx.settings, drainPerSecond: 3 } })
    const id = uuidOf('rpl', replay.id)
    const cancelled = await cancelReplay(ctx, accountId, id)
    expect(cancelled).toMatchObject({ state: 'cancelled', done: 3, total: 6 })
    expect(cancelled.finished_at).not.toBeNull()
    await db.query(`update replay set paced_at = now() - interval '1 hour' where endpoint_id = $1`, [
      webhookId,
    ])
    await advanceReplays(ctx)
    const triggers = await Promise.all(ids.map(async one => (await queueRow(ctx, one))?.trigger))
    expect(triggers).toEqual(['replay', 'replay', 'replay', 'schedule', 'schedule', 'schedule'])
    expect(await cancelReplay(ctx, accountId, id)).toEqual(cancelled)
  })

  test('a disabled endpoint is rejected; disabling it later pauses its replay, and deleting it cancels the replay', async () => {
    const endpoint = await newEndpoint()
    const { accountId, webhookId } = endpoint
    const event = await storeEvent(ctx, accountId, {})
    await storeDelivery(ctx, accountId, webhookId, event, { state: 'failed', attempts: 1 })
    const replay = await start(endpoint)
    await updateWebhook(ctx, accountId, webhookId, { enabled: false })
    expect(await refusal(start(endpoint))).toBe('endpoint_disabled')
    await advanceReplays(ctx)
    const id = uuidOf('rpl', replay.id)
    expect(await getReplay(ctx, accountId, id)).toMatchObject({ state: 'running', done: 0 })
    await deleteWebhook(ctx, accountId, webhookId)
    await advanceReplays(ctx)
    expect(await getReplay(ctx, accountId, id)).toMatchObject({ state: 'cancelled', done: 0 })
    expect(await refusal(start(endpoint))).toBe('not_found')
  })

  test('another account can neither see nor cancel a replay', async () => {
    const endpoint = await newEndpoint()
    const replay = await start(endpoint)
    const stranger = await newAccount(ctx)
    const id = uuidOf('rpl', replay.id)
    expect(await refusal(getReplay(ctx, stranger, id))).toBe('not_found')
    expect(await refusal(cancelReplay(ctx, stranger, id))).toBe('not_found')
    expect(await refusal(listReplays(ctx, stranger, endpoint.webhookId, { limit: 50 }))).toBe('not_found')
    expect((await listReplays(ctx, endpoint.accountId, endpoint.webhookId, { limit: 1 })).data).toEqual([
      replay,
    ])
  })
})
