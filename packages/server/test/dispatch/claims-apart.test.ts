import { expect, test } from 'vitest'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'
import { claimerAlone } from './claimer-alone.ts'

test('where there is little to claim, claims begin twenty milliseconds apart, and nothing is forgotten meanwhile', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const endpointId = uuidOf('wh', id)
  const becomesDue = async (): Promise<void> => {
    await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
    await db.query('update waiting set due_at = now()')
  }
  await becomesDue()

  let nowMs = 10_000
  let clockReadings = 0
  const monotonicMs = (): number => {
    clockReadings++
    return nowMs
  }
  const { claimer, claimed } = claimerAlone(ctx, { db, clock: { ...ctx.clock, monotonicMs } })
  claimer.start()
  await until('the first is claimed', () => claimed() === 1)

  await becomesDue()
  const before = clockReadings
  claimer.left([{ accountId, endpointId, paced: false, deliveries: 1 }])
  await until('it has looked at the clock again', () => clockReadings > before + 2)
  expect(claimed()).toBe(1)
  nowMs += 20
  await until('the second is claimed', () => claimed() === 2)
  await claimer.stop()
})
