import { expect, test } from 'vitest'
import { Claimer } from '../../src/dispatch/claimer.ts'
import { GiveBack } from '../../src/dispatch/give-back.ts'
import { BulkPace } from '../../src/domain/bulk-pace.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'
import { queueThatHolds } from './queue-that-holds.ts'

test('where there is little to claim, claims begin twenty milliseconds apart, and nothing is forgotten meanwhile', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const endpointId = uuidOf('wh', id)
  const becomesDue = async (): Promise<void> => {
    await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
    await db.query('update waiting set due_at = now() where taken_by is null')
  }
  await becomesDue()

  let nowMs = 10_000
  let clockReadings = 0
  let claimed = 0
  const processId = newId(ctx)
  const onError = (error: unknown): void => {
    throw error
  }
  const claimer = new Claimer({
    db,
    clock: {
      ...ctx.clock,
      monotonicMs: () => {
        clockReadings++
        return nowMs
      },
    },
    processId,
    leaseMs: 60_000,
    drainPerSecond: 50,
    queue: queueThatHolds(),
    giveBack: new GiveBack(db, processId, onError),
    pace: new BulkPace(),
    rest: async () => {},
    mayTake: () => true,
    onClaimed: taken => {
      claimed += taken.length
    },
    onError,
  })
  claimer.start()
  await until('the first is claimed', () => claimed === 1)

  await becomesDue()
  const before = clockReadings
  claimer.left([{ accountId, endpointId, paced: false }])
  await until('it has looked at the clock again', () => clockReadings > before + 2)
  expect(claimed).toBe(1)
  nowMs += 20
  await until('the second is claimed', () => claimed === 2)
  await claimer.stop()
})
