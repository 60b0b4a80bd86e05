import { expect, test } from 'vitest'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { release } from '../../src/dispatch/release.ts'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, refusal, uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'

const ann = 'ann@example.org'

/*
 * A delivery that is not finished stands in `waiting` or in `taken`, and moves from one to the other while others look for
 * it with a statement for each.
 */

test('an erasure finds every delivery of the person, while claims take them and give them back', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { accountId, deliveryIds, moving } = await deliveriesOnTheMove(ctx, 300)
  await until('all of them are on the move', () => moving.moves() > deliveryIds.length)
  await createErasure(ctx, accountId, ann)
  await advanceErasures(ctx)
  await moving.stop()
  expect(await db.query('select delivery_id from unfinished')).toEqual([])
  const states = await db.query<{ state: string; reason: string }>(
    'select distinct state, reason from delivery where account_id = $1',
    [accountId],
  )
  expect(states).toEqual([{ state: 'exhausted', reason: 'erased' }])
})

test('a manual retry beside claims makes one attempt due, or says that one is under way', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { accountId, deliveryIds, moving } = await deliveriesOnTheMove(ctx, 40, 'failed')
  const answers = new Map<string, number>()
  for (const id of deliveryIds) {
    const answer = await retryDelivery(ctx, accountId, id).then(
      () => 'retried',
      async (error: unknown) => await refusal(Promise.reject(error)),
    )
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
  }
  await moving.stop()
  expect([...answers.keys()].filter(answer => !['retried', 'delivery_pending'].includes(answer))).toEqual([])
  const rows = await db.query<{ delivery_id: string }>('select delivery_id from unfinished order by 1')
  expect(rows.map(row => row.delivery_id)).toEqual(deliveryIds.toSorted())
})

/** Deliveries to one person that are claimed and given back, over and over, by four processes. */
async function deliveriesOnTheMove(ctx: VerbContext, count: number, state: 'pending' | 'failed' = 'pending') {
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const endpointId = uuidOf('wh', id)
  const deliveryIds: string[] = []
  for (let n = 0; n < count; n++) {
    const event = await storeEvent(ctx, accountId, { to: ann })
    deliveryIds.push(await storeDelivery(ctx, accountId, endpointId, event, { state }))
  }
  await ctx.db.query('update waiting set due_at = now()')
  let stopped = false
  let moves = 0
  const move = async (): Promise<void> => {
    const processId = newId(ctx)
    const options = { processId, leaseMs: 60_000, monotonicMs: () => performance.now() }
    while (!stopped) {
      const taken = await claim(ctx.db, [{ accountId, endpointId, room: 50 }], options)
      moves += taken.length
      await release(
        ctx.db,
        processId,
        taken.map(one => ({ ...one, dueInMs: 0 })),
      )
    }
  }
  const movers = Promise.all(Array.from({ length: 4 }, move))
  return {
    accountId,
    deliveryIds,
    moving: {
      moves: () => moves,
      stop: async () => {
        stopped = true
        await movers
      },
    },
  }
}
