import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { uuidV7Ms } from '../../src/domain/uuid-v7.ts'
import { getWebhookHealth } from '../../src/health/get-webhook-health.ts'
import { listWebhookHealth } from '../../src/health/list-webhook-health.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { listWebhooks } from '../../src/webhooks/list-webhooks.ts'
import { verbBackends, openTestDatabase } from '../support/test-database.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

describe.each(verbBackends())('the health of all endpoints on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  const newEndpoint = async (accountId: string, ageDays = 30): Promise<string> => {
    const webhook = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    const id = uuidOf('wh', webhook.id)
    await db.query('update endpoint set created_at = now() - $2::int * interval $$1 day$$ where id = $1', [
      id,
      ageDays,
    ])
    return id
  }

  /** Stores a count of attempts as the statistics do, with the time at which the last one ended. */
  async function count(
    accountId: string,
    endpointId: string,
    atMs: number,
    result: string,
    times: number,
  ): Promise<void> {
    const given = result === 'exhausted' ? ['{}', '{}'] : ['{5}', `{${times}}`]
    await db.query(
      `insert into attempt_stat (account_id, at, endpoint_id, width_seconds, result, count, last_at, latency_buckets, latency_counts)
       values ($1, date_trunc('minute', $3::timestamptz), $2, 60, $4, $5, $3, $6, $7)`,
      [accountId, endpointId, new Date(atMs), result, times, ...given],
    )
  }

  const stateOf = async (accountId: string, endpointId: string): Promise<WebhookHealth['state']> =>
    (await getWebhookHealth(ctx, accountId, endpointId)).state

  test('has one entry for each endpoint of the account, in the order and pages of the endpoint list', async () => {
    const accountId = await newAccount(ctx)
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push(await newEndpoint(accountId))
    await newEndpoint(await newAccount(ctx))
    await deleteWebhook(ctx, accountId, ids[2] ?? '')
    await storeDelivery(ctx, accountId, ids[0] ?? '', await storeEvent(ctx, accountId, {}))
    await count(accountId, ids[1] ?? '', Date.now() - hourMs, 'delivered', 7)

    const all: WebhookHealth[] = []
    const listed: Webhook[] = []
    let cursor: string | undefined
    do {
      const page = await listWebhookHealth(ctx, accountId, { limit: 3, cursor })
      listed.push(...(await listWebhooks(ctx, accountId, { limit: 3, cursor })).data)
      all.push(...page.data)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    expect(all.map(one => one.webhook_id)).toEqual(listed.map(one => one.id))
    expect(all).toHaveLength(4)
    for (const one of all) {
      expect(await getWebhookHealth(ctx, accountId, uuidOf('wh', one.webhook_id))).toEqual(one)
    }
  })

  test('shows the last attempt, the last success, and the attempts of each of the last 24 hours', async () => {
    const accountId = await newAccount(ctx)
    const endpointId = await newEndpoint(accountId)
    const nowMs = Date.now()
    const thisHourMs = Math.floor(nowMs / hourMs) * hourMs
    const lastSuccessMs = thisHourMs - 3 * hourMs + 12_345
    await count(accountId, endpointId, thisHourMs - 24 * hourMs, 'delivered', 1_000)
    await count(accountId, endpointId, thisHourMs - 23 * hourMs, 'delivered', 5)
    await count(accountId, endpointId, lastSuccessMs - 5_000, 'delivered', 4)
    await count(accountId, endpointId, lastSuccessMs, 'delivered', 2)
    await count(accountId, endpointId, lastSuccessMs + 60_000, 'tls_expired', 3)
    await count(accountId, endpointId, nowMs, 'dns_failed', 1)
    await count(accountId, endpointId, nowMs, 'exhausted', 1)

    const health = await getWebhookHealth(ctx, accountId, endpointId)
    expect(health.last_attempt_at).toBe(new Date(nowMs).toISOString())
    expect(health.last_success_at).toBe(new Date(lastSuccessMs).toISOString())
    const sent = new Map([
      [0, { delivered: 5, failed: 0 }],
      [20, { delivered: 6, failed: 3 }],
      [23, { delivered: 0, failed: 1 }],
    ])
    expect(health.hours).toEqual(
      Array.from({ length: 24 }, (_, hour) => ({
        at: new Date(thisHourMs + (hour - 23) * hourMs).toISOString(),
        ...(sent.get(hour) ?? { delivered: 0, failed: 0 }),
      })),
    )
  })

  test('shows the usual number of finished deliveries per day, from the last seven full days', async () => {
    const accountId = await newAccount(ctx)
    const old = await newEndpoint(accountId)
    const young = await newEndpoint(accountId, 3)
    const fresh = await newEndpoint(accountId, 0)
    const todayMs = Math.floor(Date.now() / dayMs) * dayMs
    for (const endpointId of [old, young, fresh]) {
      for (const [daysAgo, times] of [
        [0, 500],
        [1, 9],
        [2, 23],
        [7, 38],
        [8, 1_000],
      ] as const) {
        await count(accountId, endpointId, todayMs - daysAgo * dayMs, 'delivered', times)
      }
      await count(accountId, endpointId, todayMs - dayMs, 'exhausted', 1)
      await count(accountId, endpointId, todayMs - dayMs, 'status_not_2xx', 13)
    }
    const usual = async (id: string) => (await getWebhookHealth(ctx, accountId, id)).usual_per_day
    expect(await usual(old)).toBe(Math.round((71 / 7) * 10) / 10)
    expect(await usual(young)).toBe(16.5)
    expect(await usual(fresh)).toBeNull()
  })

  test('shows the oldest pending delivery', async () => {
    const accountId = await newAccount(ctx)
    const endpointId = await newEndpoint(accountId)
    expect((await getWebhookHealth(ctx, accountId, endpointId)).oldest_waiting).toBeNull()
    const event = await storeEvent(ctx, accountId, {})
    const id = await storeDelivery(ctx, accountId, endpointId, event)
    await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
    expect(await getWebhookHealth(ctx, accountId, endpointId)).toMatchObject({
      waiting_count: 2,
      oldest_waiting: {
        delivery_id: typeId('dlv', id),
        event_id: typeId('evt', event.id),
        since: new Date(uuidV7Ms(id)).toISOString(),
      },
    })
  })

  test('is new before the first send, healthy at once after it, and quiet after days without one', async () => {
    const accountId = await newAccount(ctx)
    const endpointId = await newEndpoint(accountId)
    await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
    expect(await stateOf(accountId, endpointId)).toBe('new')
    const sent = await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}), {
      state: 'delivered',
      attempts: 1,
    })
    await db.query('update delivery set last_attempt_at = delivered_at where id = $1', [sent])
    const { state, last_success_at } = await getWebhookHealth(ctx, accountId, endpointId)
    expect(state).toBe('healthy')
    expect(Date.now() - Date.parse(last_success_at ?? '')).toBeLessThan(60_000)

    const silent = await newEndpoint(accountId)
    await count(accountId, silent, Date.now() - 3.1 * dayMs, 'delivered', 20)
    expect(await stateOf(accountId, silent)).toBe('quiet')
    const seldom = await newEndpoint(accountId)
    await count(accountId, seldom, Date.now() - 3.1 * dayMs, 'delivered', 3)
    expect(await stateOf(accountId, seldom)).toBe('healthy')
  })
})
