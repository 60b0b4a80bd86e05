import { describe, expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { newId } from '../../src/new-id.ts'
import { openQueueReader } from '../../src/system/queue-reader.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { sendTestEvent } from '../../src/webhooks/send-test-event.ts'
import { asking, claimAs } from '../dispatch/handed-over.ts'
import { newestServer, openTestDatabase, verbServers } from '../support/test-database.ts'
import { startProcess, storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'

const limits = { drainPerSecond: 50, inFlightMax: 10, inFlightPerEndpointMax: 3 }

test('counting a long queue takes a hundredth of the time, however often it is requested', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const wait = async (deliveries: number): Promise<void> => {
    await db.query(
      `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), now(), n from generate_series(1, $3::int) n`,
      [accountId, newId(ctx), deliveries],
    )
  }
  let nowMs = 0
  let counted = 0
  const slow: Queryable = {
    query: async (...asked: Parameters<Queryable['query']>) => {
      counted++
      nowMs += 100
      return await db.query(...asked)
    },
  } as Queryable
  const queue = openQueueReader(slow, { monotonicMs: () => nowMs }, limits)

  await wait(999)
  const both = await Promise.all([queue(), queue()])
  expect([both.map(({ waiting }) => waiting), counted]).toEqual([[999, 999], 1])
  await wait(1)
  // a short backlog is counted at every request, a long one is not
  expect([(await queue()).waiting, counted]).toEqual([1_000, 2])
  await wait(1)
  nowMs += 9_899
  expect([(await queue()).waiting, counted]).toEqual([1_000, 2])
  nowMs += 1
  expect([(await queue()).waiting, counted]).toEqual([1_001, 3])
})

test('after a failed count, the next request counts again', async () => {
  await using db = await openTestDatabase(newestServer())
  let away = true
  const query = async (...asked: Parameters<Queryable['query']>): Promise<unknown> => {
    if (away) throw new Error('away')
    return await db.query(...asked)
  }
  const queue = openQueueReader({ query } as Queryable, { monotonicMs: () => 0 }, limits)
  await expect(queue()).rejects.toThrow('away')
  away = false
  expect((await queue()).waiting).toBe(0)
})

test('a test event goes first without making the oldest due delivery look older', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const webhook = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const webhookId = uuidOf('wh', webhook.id)
  await storeDelivery(ctx, accountId, webhookId, await storeEvent(ctx, accountId, {}))
  await db.query(`update queue set due_at = now() - interval '100 seconds'`)
  const { delivery_id: id } = await sendTestEvent(ctx, accountId, webhookId, { type: 'email.bounced' })
  const queue = openQueueReader(db, { monotonicMs: () => 0 }, limits)
  const { waiting, oldestDueSeconds } = await queue()
  expect(waiting).toBe(2)
  expect(oldestDueSeconds).toBeGreaterThanOrEqual(100)
  expect(oldestDueSeconds).toBeLessThan(160)

  const asked = asking({ accountId, endpointId: webhookId }, 1)
  const { claimed } = await claim(db, [asked], claimAs(await startProcess(ctx)))
  expect(claimed.map(({ deliveryId, goesFirst }) => [typeId('dlv', deliveryId), goesFirst])).toEqual([
    [id, true],
  ])
})

describe.each(verbServers())('what endpoints hold back, on $name', backend => {
  test('only a delivery that could be sent now makes the queue late; the others are counted by their reason', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const queue = openQueueReader(db, { monotonicMs: () => 0 }, limits)
    const endpoint = async (deliveries: number, set: string): Promise<void> => {
      const id = uuidOf('wh', (await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })).id)
      const event = await storeEvent(ctx, accountId, {})
      for (let n = 0; n < deliveries; n++) await storeDelivery(ctx, accountId, id, event)
      await db.query(`update queue set due_at = now() - interval '1 hour' where endpoint_id = $1`, [id])
      await db.query(`update endpoint set ${set} where id = $1`, [id])
    }
    const usedUp = `bucket_tokens = 0, bucket_at = now() + interval '1 minute'`
    await endpoint(1, `failures_in_row = 3`)
    await endpoint(2, `status = 'disabled', disabled_reason = 'manual'`)
    await endpoint(3, `rate_limit_per_second = 1, draining_since = now(), ${usedUp}`)
    await endpoint(4, `rate_limit_per_second = 90, draining_since = now(), ${usedUp}`)
    await endpoint(5, `status = 'moving'`)
    expect(await queue()).toEqual({
      waiting: 15,
      oldestDueSeconds: 0,
      heldBack: { failing: 1, disabled: 2, rate_limit: 3, drain: 4, in_flight: 0 },
    })

    // no dispatcher has used the token for ten minutes, so the limit is not the cause
    await endpoint(
      1,
      `rate_limit_per_second = 1, bucket_tokens = 0, bucket_at = now() - interval '10 minutes'`,
    )
    const unused = await queue()
    expect(unused.oldestDueSeconds).toBeGreaterThan(590)
    expect(unused.oldestDueSeconds).toBeLessThan(660)

    await endpoint(1, `failures_in_row = 2`)
    const late = await queue()
    expect(late.oldestDueSeconds).toBeGreaterThanOrEqual(3_600)
    expect(late.heldBack).toEqual(unused.heldBack)
  })

  test('an endpoint at its limit of attempts in flight waits for itself, unless all processes are full', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const queue = openQueueReader(db, { monotonicMs: () => 0 }, limits)
    const process = await startProcess(ctx)
    const id = uuidOf('wh', (await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })).id)
    const event = await storeEvent(ctx, accountId, {})
    for (let n = 0; n < 5; n++) await storeDelivery(ctx, accountId, id, event)
    await db.query(`update queue set due_at = now() - interval '1 hour'`)
    const claimUpTo = async (count: number): Promise<void> => {
      const missing = `select delivery_id from queue where process is null limit $2 - (select count(*) from queue where process = $1)`
      await db.query(`update queue set process = $1 where delivery_id in (${missing})`, [process, count])
    }
    await claimUpTo(2)
    expect((await queue()).oldestDueSeconds).toBeGreaterThanOrEqual(3_600)
    await claimUpTo(3)
    expect(await queue()).toMatchObject({ oldestDueSeconds: 0, heldBack: { in_flight: 2 } })

    await db.query('update process set in_flight = 10')
    expect((await queue()).oldestDueSeconds).toBeGreaterThanOrEqual(3_600)
    await db.query(`update process set in_flight = 3, last_seen_at = now() - interval '1 minute'`)
    expect((await queue()).oldestDueSeconds).toBeGreaterThanOrEqual(3_600)
  })

  test('a long backlog of a disabled endpoint is counted up to 10,000', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const webhook = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    await db.query(
      `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), now(), n from generate_series(1, 10001) n`,
      [accountId, uuidOf('wh', webhook.id)],
    )
    await db.query(`update endpoint set status = 'disabled', disabled_reason = 'manual'`)
    const { waiting, heldBack } = await openQueueReader(db, { monotonicMs: () => 0 }, limits)()
    expect([waiting, heldBack.disabled]).toEqual([10_001, 10_000])
  })
})
