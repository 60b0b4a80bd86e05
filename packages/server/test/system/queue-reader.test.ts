import { expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { newId } from '../../src/new-id.ts'
import { openQueueReader } from '../../src/system/queue-reader.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { sendTestEvent } from '../../src/webhooks/send-test-event.ts'
import { asking, claimAs } from '../dispatch/handed-over.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { startProcess, storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'

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
  const queue = openQueueReader(slow, { monotonicMs: () => nowMs })

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
  const queue = openQueueReader({ query } as Queryable, { monotonicMs: () => 0 })
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
  const queue = openQueueReader(db, { monotonicMs: () => 0 })
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
