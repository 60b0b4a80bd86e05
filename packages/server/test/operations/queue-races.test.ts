import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { claim, type ClaimOptions } from '../../src/dispatch/claim.ts'
import { release } from '../../src/dispatch/release.ts'
import { settle } from '../../src/dispatch/settle.ts'
import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { getErasure } from '../../src/erasures/get-erasure.ts'
import { advanceReplays } from '../../src/replays/advance-replays.ts'
import { createReplay } from '../../src/replays/create-replay.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { settlementOf } from '../dispatch/settlement-of.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import {
  type DeliveryFacts,
  loseDelivery,
  queueRow,
  startProcess,
  storeDelivery,
  storeEvent,
} from '../verbs/stored-delivery.ts'
import { newAccount, refusal, uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'

const ann = 'ann@example.org'

test('an erasure finds every delivery of a person while processes claim and release them', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { accountId, deliveryIds, moving } = await deliveriesOnTheMove(ctx, 300)
  await until('all of them are on the move', () => moving.moves() > deliveryIds.length)
  await createErasure(ctx, accountId, ann)
  await advanceErasures(ctx)
  await moving.stop()
  await expectTrueStates(ctx)
  const states = await db.query('select distinct state, reason from delivery where account_id = $1', [
    accountId,
  ])
  expect(states).toEqual([{ state: 'exhausted', reason: 'erased' }])
})

test('a manual retry that races with claims succeeds or gets delivery_pending, and queues each delivery once', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { accountId, deliveryIds, moving } = await deliveriesOnTheMove(ctx, 40, 'failed')
  const answers = new Set<string>()
  for (const id of deliveryIds) answers.add(await refusal(retryDelivery(ctx, accountId, id)))
  await moving.stop()
  expect([...answers].filter(answer => !['not refused', 'delivery_pending'].includes(answer))).toEqual([])
  await expectTrueStates(ctx)
  const rows = await db.query<{ delivery_id: string }>('select delivery_id from queue order by 1')
  expect(rows.map(row => row.delivery_id)).toEqual(deliveryIds.toSorted())
})

describe('while another transaction holds the delivery', () => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(newestServer())
    ctx = verbContext(db)
  })
  afterEach(async () => await expectTrueStates(ctx))
  afterAll(async () => await db[Symbol.asyncDispose]())

  test.each(['retry', 'replay'] as const)('a %s waits for an erasure, and sends nothing', async which => {
    const { accountId, webhookId, deliveryId } = await newDelivery(ctx, { state: 'delivered', attempts: 1 })
    if (which === 'replay') {
      await createReplay(ctx, accountId, webhookId, { since: '2020-01-01T00:00:00Z', states: ['delivered'] })
    }
    await createErasure(ctx, accountId, ann)
    const answer = await waitsFor(
      ctx,
      async within => void (await advanceErasures(within)),
      async () =>
        which === 'retry'
          ? await refusal(retryDelivery(ctx, accountId, deliveryId))
          : await advanceReplays(ctx),
    )
    expect(answer).toEqual(which === 'retry' ? 'delivery_erased' : { queued: 0 })
    expect(await queueRow(ctx, deliveryId)).toBeUndefined()
  })

  test('an erasure waits for a retry and removes the delivery that it queued', async () => {
    const { accountId, deliveryId } = await newDelivery(ctx, { state: 'delivered', attempts: 1 })
    const { id } = await createErasure(ctx, accountId, ann)
    await waitsFor(
      ctx,
      async within => void (await retryDelivery(within, accountId, deliveryId)),
      async () => await advanceErasures(ctx),
    )
    expect(await getErasure(ctx, accountId, uuidOf('era', id))).toMatchObject({
      state: 'done',
      deliveries: 1,
    })
    expect(await queueRow(ctx, deliveryId)).toBeUndefined()
    expect(await getDelivery(ctx, accountId, deliveryId)).toMatchObject({ state: 'delivered' })
  })

  test('a retry waits for a replay of the same delivery, and gets delivery_pending', async () => {
    const { accountId, webhookId, deliveryId } = await newDelivery(ctx, { state: 'exhausted', attempts: 1 })
    await createReplay(ctx, accountId, webhookId, { since: '2020-01-01T00:00:00Z' })
    const answer = await waitsFor(
      ctx,
      async within => expect(await advanceReplays(within)).toEqual({ queued: 1 }),
      async () => await refusal(retryDelivery(ctx, accountId, deliveryId)),
    )
    expect(answer).toBe('delivery_pending')
    expect(await queueRow(ctx, deliveryId)).toMatchObject({ trigger: 'replay' })
  })

  test('a replay keeps no newer event locked while an erasure holds an older one that is missing', async () => {
    const accountId = await newAccount(ctx)
    const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    const webhookId = uuidOf('wh', id)
    const older = await storeEvent(ctx, accountId, {})
    const newer = await storeEvent(ctx, accountId, {})
    await storeDelivery(ctx, accountId, webhookId, newer, { state: 'exhausted', attempts: 1 })
    const states = ['exhausted' as const, 'missing' as const]
    await createReplay(ctx, accountId, webhookId, { since: '2020-01-01T00:00:00Z', states })
    await db.transaction(async tx => {
      await tx.query('select from event where id = $1 for update', [older.id])
      expect(await advanceReplays(ctx)).toEqual({ queued: 1 })
      await tx.query('select from event where id = $1 for update', [newer.id])
    })
    await until('the rest is queued', async () => (await advanceReplays(ctx)).queued === 1)
  })

  test('a late success waits for a retry and completes the delivery', async () => {
    const { accountId, webhookId, deliveryId } = await newDelivery(ctx, { state: 'pending' })
    const late = await claimOne(ctx, accountId, webhookId)
    await loseDelivery(ctx, deliveryId)
    await giveUpQueued(ctx, deliveryId)
    await waitsFor(
      ctx,
      async within => void (await retryDelivery(within, accountId, deliveryId)),
      async () => await settle(db, [settlementOf(ctx, late, 204)]),
    )
    expect(await getDelivery(ctx, accountId, deliveryId)).toMatchObject({
      state: 'delivered',
      attempt_count: 1,
    })
    expect(await queueRow(ctx, deliveryId)).toBeUndefined()
  })
})

/** Runs the second while the transaction of the first is open, and expects that the second waits. */
async function waitsFor<T>(
  ctx: VerbContext,
  first: (within: VerbContext) => Promise<void>,
  second: () => Promise<T>,
): Promise<T> {
  const { waiting } = await ctx.db.transaction(async tx => {
    await first({ ...ctx, db: tx })
    const answer = second()
    answer.catch(() => {})
    await until('it waits for a lock', async () => {
      const rows = await ctx.db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
    return { waiting: answer }
  })
  return await waiting
}

/** Checks that a queue row exists if and only if its delivery is pending or failed. */
async function expectTrueStates({ db }: VerbContext): Promise<void> {
  const wrong = await db.query(
    `select d.id, d.state, q.delivery_id from delivery d
     full join queue q on q.account_id = d.account_id and q.delivery_id = d.id
     where (d.state in ('pending', 'failed')) is distinct from (q.delivery_id is not null)`,
  )
  expect(wrong).toEqual([])
}

async function newDelivery(ctx: VerbContext, facts: DeliveryFacts) {
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const webhookId = uuidOf('wh', id)
  const event = await storeEvent(ctx, accountId, { to: ann })
  return { accountId, webhookId, deliveryId: await storeDelivery(ctx, accountId, webhookId, event, facts) }
}

async function claimOne(ctx: VerbContext, accountId: string, endpointId: string): Promise<LeasedDelivery> {
  await ctx.db.query('update queue set due_at = now() where endpoint_id = $1', [endpointId])
  const endpoint = { accountId, endpointId, capacity: 1, failuresInRow: 0, limited: false }
  const { claimed } = await claim(ctx.db, [endpoint], await newClaimer(ctx))
  const [one] = claimed
  if (one === undefined) throw new Error('nothing was claimed')
  return one
}

async function newClaimer(ctx: VerbContext): Promise<ClaimOptions> {
  return { number: await startProcess(ctx, 60), drainPerSecond: 1, monotonicMs: () => performance.now() }
}

/** Gives up a delivery as settle does when too many processes died with it. */
async function giveUpQueued({ db }: VerbContext, deliveryId: string): Promise<void> {
  await db.query(
    `with given_up as (delete from queue where delivery_id = $1 returning *)
     update delivery d set state = 'exhausted', reason = 'process_lost', claim = g.claim
     from given_up g where d.account_id = g.account_id and d.id = g.delivery_id`,
    [deliveryId],
  )
}

/** Deliveries to one person that four processes claim and give back repeatedly. */
async function deliveriesOnTheMove(ctx: VerbContext, count: number, state: 'pending' | 'failed' = 'pending') {
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const endpointId = uuidOf('wh', id)
  const deliveryIds: string[] = []
  for (let n = 0; n < count; n++) {
    const event = await storeEvent(ctx, accountId, { to: ann })
    deliveryIds.push(await storeDelivery(ctx, accountId, endpointId, event, { state }))
  }
  await ctx.db.query('update queue set due_at = now()')
  let stopped = false
  let moves = 0
  const move = async (): Promise<void> => {
    const claimer = await newClaimer(ctx)
    const endpoint = { accountId, endpointId, capacity: 50, failuresInRow: 0, limited: false }
    while (!stopped) {
      const { claimed } = await claim(ctx.db, [endpoint], claimer)
      moves += claimed.length
      await release(ctx.db, claimed)
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
