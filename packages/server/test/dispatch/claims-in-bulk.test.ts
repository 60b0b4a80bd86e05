import { expect, test } from 'vitest'
import { BulkPace } from '../../src/domain/bulk-pace.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'
import { claimerAlone } from './claimer-alone.ts'

/** Of somebody who has just seen that storing a few events takes twenty times what it takes without bulk. */
function paceOfABusyDatabase(nowMs: number): BulkPace {
  const pace = new BulkPace()
  for (let n = 0; n < 50; n++) pace.storedFew(nowMs - 2, nowMs - 1, 1)
  pace.restMsAfter(nowMs, nowMs)
  for (let n = 0; n < 100; n++) pace.storedFew(nowMs, nowMs + 20, 1)
  return pace
}

test.each([
  { due: 150, left: 0, rests: 1 },
  { due: 20, left: 0, rests: 0 },
  // more arrives for claims than they take
  { due: 150, left: 150, rests: 0 },
])(
  'where storing a few events has to wait, a claim of $due, of which $left have just arrived, is followed by $rests rest',
  async ({ due, left, rests: expected }) => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const endpointId = uuidOf(
      'wh',
      (await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })).id,
    )
    for (let n = 0; n < due; n++)
      await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
    await db.query('update waiting set due_at = now()')

    let nowMs = 10_000
    const rests: number[] = []
    const { claimer, claimed } = claimerAlone(ctx, {
      db,
      // each look takes a while, so that a claim does
      clock: { ...ctx.clock, monotonicMs: () => (nowMs += 5) },
      pace: paceOfABusyDatabase(nowMs),
      rest: async ms => {
        rests.push(ms)
      },
    })
    claimer.left([{ accountId, endpointId, paced: false, deliveries: left }])
    claimer.start()
    await until('all that is due is claimed', () => claimed() === due)
    await claimer.stop()
    expect(rests).toHaveLength(expected)
    for (const restMs of rests) expect(restMs).toBeGreaterThan(0)
  },
)
