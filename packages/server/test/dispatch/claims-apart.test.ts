import { expect, test } from 'vitest'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'
import { claimerAlone } from './claimer-alone.ts'
import { queueThatHolds } from './queue-that-holds.ts'

test.each([
  { share: 'proven', inFlightMax: 2_000, apartMs: 20 },
  { share: 'not proven and has many places', inFlightMax: 2_000, apartMs: 20 },
  { share: 'not proven and has few places', inFlightMax: 200, apartMs: 100 },
])(
  'where there is little to claim, claims of what is $share begin at least $apartMs ms apart, and nothing is forgotten meanwhile',
  async ({ share, inFlightMax, apartMs }) => {
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
    const queue = queueThatHolds(share === 'proven' ? [{ accountId, endpointId }] : [], inFlightMax)
    const { claimer, claimed } = claimerAlone(ctx, { db, queue, clock: { ...ctx.clock, monotonicMs } })
    claimer.start()
    await until('the first is claimed', () => claimed() === 1)

    await becomesDue()
    const before = clockReadings
    claimer.left([{ accountId, endpointId, paced: false, deliveries: 1 }])
    nowMs += apartMs - 1
    await until('it has looked at the clock again', () => clockReadings > before + 10)
    expect(claimed()).toBe(1)
    // a round that was only for others may have just begun
    nowMs += 20
    await until('the second is claimed', () => claimed() === 2)
    await claimer.stop()
  },
)
