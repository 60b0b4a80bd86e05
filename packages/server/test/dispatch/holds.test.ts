import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { searchDeliveries } from '../../src/deliveries/search-deliveries.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { freeExpiredLeases } from '../../src/dispatch/free-expired-leases.ts'
import { Holds } from '../../src/dispatch/holds.ts'
import { release } from '../../src/dispatch/release.ts'
import { settle, type Settlement } from '../../src/dispatch/settle.ts'
import type { TakenDelivery } from '../../src/domain/taken-delivery.ts'
import { getEvent } from '../../src/events/get-event.ts'
import { newId } from '../../src/new-id.ts'
import { allBackends, openTestDatabase, serverBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { endLease, takeOptions, threeHandedOver, unfinishedBeside } from './handed-over.ts'
import { settlementOf } from './settlement-of.ts'

describe.each(allBackends())('what is held together on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('a first attempt that succeeds is all that is written, and the delivery is told as delivered', async () => {
    const [taken] = await threeHandedOver(ctx)
    const before = await rowOf(ctx, taken)
    await settle(db, [settlementOf(ctx, taken, 204)])
    expect(await rowOf(ctx, taken)).toEqual(before)
    const delivery = await getDelivery(ctx, taken.accountId, taken.deliveryId)
    expect(delivery).toMatchObject({
      state: 'delivered',
      attempt_count: 1,
      last_error_code: null,
      last_status_code: 204,
      attempts: [{ number: 1, outcome: 'delivered', trigger: 'schedule' }],
    })
    const started = Date.parse(delivery.attempts?.[0]?.started_at ?? '')
    expect(Date.parse(delivery.delivered_at ?? '')).toBe(started + 3)
    expect(delivery.last_attempt_at).toBe(delivery.delivered_at)
    expect(await listed(ctx, taken, 'delivered')).toEqual([delivery.id])
    expect(await listed(ctx, taken, 'pending')).toHaveLength(2)
    const { attempts: _, ...beside } = delivery
    expect((await getEvent(ctx, taken.accountId, taken.eventId)).deliveries).toContainEqual(beside)
  })

  test('its row says so too while a process lives that would not look at its attempt', async () => {
    const [taken] = await threeHandedOver(ctx)
    await settle(db, [settlementOf(ctx, taken, 204)], { inFull: true })
    const { deliveryId } = taken
    expect(await db.query('select state, attempt_count from delivery where id = $1', [deliveryId])).toEqual([
      { state: 'delivered', attempt_count: 1 },
    ])
    expect(await getDelivery(ctx, taken.accountId, deliveryId)).toMatchObject({ state: 'delivered' })
  })

  test('answers that begin alike and such that do not are each told as they came', async () => {
    const [first, second, third] = await threeHandedOver(ctx)
    const alike = { server: 'gate', date: 'Thu, 26 Nov 2026 06:00:00 GMT' }
    const answered = (taken: TakenDelivery, responseHeaders: Record<string, string>): Settlement => {
      const settlement = settlementOf(ctx, taken, 204)
      const { attempt } = settlement
      return {
        ...settlement,
        attempt: attempt && { ...attempt, exchange: { ...attempt.exchange, responseHeaders } },
      }
    }
    const other = { server: 'größer', note: 'a "quoted" \\ word, {braces}' }
    await settle(db, [answered(first, alike), answered(second, other), answered(third, alike)])
    const headersOf = async ({ accountId, deliveryId }: TakenDelivery): Promise<unknown> =>
      (await getDelivery(ctx, accountId, deliveryId)).attempts?.[0]?.response_headers
    expect([await headersOf(first), await headersOf(second), await headersOf(third)]).toEqual([
      alike,
      other,
      alike,
    ])
  })

  test('until then it is pending, and found among what is', async () => {
    const taken = await threeHandedOver(ctx)
    const [{ accountId, deliveryId }] = taken
    const { state, attempt_count } = await getDelivery(ctx, accountId, deliveryId)
    expect({ state, attempt_count }).toEqual({ state: 'pending', attempt_count: 0 })
    expect(await listed(ctx, taken[0], 'pending')).toHaveLength(3)
    expect(await listed(ctx, taken[0], 'delivered')).toEqual([])
  })

  test('one that fails waits for its retry, and those beside it are acknowledged', async () => {
    const [failed, fine, other] = await threeHandedOver(ctx)
    await settle(
      db,
      [failed, fine, other].map(one => settlementOf(ctx, one, one === failed ? 503 : 204)),
    )
    expect(await getDelivery(ctx, failed.accountId, failed.deliveryId)).toMatchObject({
      state: 'failed',
      attempt_count: 1,
      next_attempt_at: expect.any(String),
    })
    expect(await getDelivery(ctx, fine.accountId, fine.deliveryId)).toMatchObject({ state: 'delivered' })
    expect(await unfinishedBeside(ctx, failed)).toEqual([failed.deliveryId])
  })

  test('what was acknowledged can be sent again, and stays delivered when that fails', async () => {
    const [taken] = await threeHandedOver(ctx)
    await settle(db, [settlementOf(ctx, taken, 204)])
    const retried = await retryDelivery(ctx, taken.accountId, taken.deliveryId)
    expect(retried).toMatchObject({ state: 'pending', attempt_count: 1, delivered_at: expect.any(String) })
    const { accountId, endpointId } = taken
    const [again] = await claim(db, [{ accountId, endpointId, room: 1 }], takeOptions(ctx))
    if (again === undefined) throw new Error('nothing was claimed')
    expect(again).toMatchObject({ attemptCount: 1, wasDelivered: true, hold: null })
    await settle(db, [settlementOf(ctx, again, 503)])
    expect(await getDelivery(ctx, accountId, taken.deliveryId)).toMatchObject({
      state: 'delivered',
      attempt_count: 2,
    })
  })

  test('what is under way cannot be sent by hand as well', async () => {
    const [taken] = await threeHandedOver(ctx)
    await expect(retryDelivery(ctx, taken.accountId, taken.deliveryId)).rejects.toMatchObject({
      code: 'delivery_pending',
    })
  })

  test('what is given back waits again, and the others are held as before', async () => {
    const [back, kept, other] = await threeHandedOver(ctx)
    await release(db, newId(ctx), [{ ...back, dueInMs: 0 }])
    const { accountId, endpointId } = back
    const [again] = await claim(db, [{ accountId, endpointId, room: 2 }], takeOptions(ctx))
    expect(again).toMatchObject({ deliveryId: back.deliveryId, claim: 2, attemptCount: 0, lostClaims: 0 })
    await settle(db, [settlementOf(ctx, kept, 204), settlementOf(ctx, other, 204)])
    expect(await unfinishedBeside(ctx, kept)).toEqual([back.deliveryId])
  })

  test('when the lease ends only what is not settled waits again', async () => {
    const [settled, lost, failed] = await threeHandedOver(ctx)
    await settle(db, [settlementOf(ctx, settled, 204), settlementOf(ctx, failed, 503)])
    await endLease(ctx, lost)
    expect(await freeExpiredLeases(db, newId(ctx))).toEqual({ freed: 1 })
    const { accountId, endpointId } = lost
    const due = await claim(db, [{ accountId, endpointId, room: 3 }], takeOptions(ctx))
    expect(due.map(one => one.deliveryId)).toEqual([lost.deliveryId])
    expect(due).toMatchObject([{ claim: 2, lostClaims: 1 }])
  })

  test('a success that comes when the lease is over still counts once', async () => {
    const [late, ...others] = await threeHandedOver(ctx)
    await endLease(ctx, late)
    await freeExpiredLeases(db, newId(ctx))
    await settle(db, [settlementOf(ctx, late, 204)])
    expect(await unfinishedBeside(ctx, late)).toEqual(others.map(one => one.deliveryId).sort())
    expect(await getDelivery(ctx, late.accountId, late.deliveryId)).toMatchObject({
      state: 'delivered',
      attempt_count: 1,
    })
  })

  test('the row goes once all of it is settled or given back', async () => {
    const holds = new Holds()
    const [first, second, third] = await threeHandedOver(ctx)
    await settle(db, [settlementOf(ctx, first, 204), settlementOf(ctx, second, 503)], {
      emptied: holds.takeEmpty(),
    })
    holds.letGo([first, second])
    expect(holds.takeEmpty()).toEqual([])
    await release(db, newId(ctx), [{ ...third, dueInMs: 0 }])
    holds.letGo([third])
    const [other] = await threeHandedOver(ctx)
    await settle(db, [settlementOf(ctx, other, 503)], { emptied: holds.takeEmpty() })
    expect(await db.query('select id from hold where id = $1', [first.hold?.id])).toEqual([])
  })
})

describe.each(serverBackends())('what is held together on $name', backend => {
  test('a settlement under way when the lease ends is waited for: nothing of it is sent again', async () => {
    await using db = await openTestDatabase(backend)
    const ctx = verbContext(db)
    const taken = await threeHandedOver(ctx)
    await endLease(ctx, taken[0])
    let freeing: Promise<unknown> = Promise.resolve()
    await db.transaction(async tx => {
      await settle(
        tx,
        taken.map(one => settlementOf(ctx, one, 204)),
      )
      freeing = freeExpiredLeases(db, newId(ctx))
      await until('somebody waits for the settlement', async () => {
        const waiting = await db.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        )
        return waiting.length > 0
      })
    })
    expect(await freeing).toEqual({ freed: 0 })
    expect(await unfinishedBeside(ctx, taken[0])).toEqual([])
  })
})

/** The row as it lies there, and who wrote it. */
async function rowOf(ctx: VerbContext, { deliveryId }: TakenDelivery): Promise<unknown> {
  return await ctx.db.query('select d.*, d.xmin::text as written_by from delivery d where id = $1', [
    deliveryId,
  ])
}

async function listed(
  ctx: VerbContext,
  { accountId }: TakenDelivery,
  state: 'pending' | 'delivered',
): Promise<string[]> {
  const page = await searchDeliveries(ctx, accountId, { limit: 10, state: [state] })
  return page.data.map(delivery => delivery.id)
}
