import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, DatabaseUnavailableError } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { HeldDeliveries } from '../../src/dispatch/held-deliveries.ts'
import { recover } from '../../src/dispatch/recover.ts'
import { release } from '../../src/dispatch/release.ts'
import { settle } from '../../src/dispatch/settle.ts'
import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'
import { queueRow, startProcess } from '../verbs/stored-delivery.ts'
import { verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { asking, claimAs, endLease, queuedBeside, threeHandedOver } from './handed-over.ts'
import { settlementOf } from './settlement-of.ts'

const retry = { baseSeconds: 1, capSeconds: 1 }

describe.each(allBackends())('leases on $name', backend => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('a process keeps its deliveries until its lease ends, and then they are due unchanged', async () => {
    const [held] = await threeHandedOver(ctx)
    await recover(db, { expired: true, retry })
    expect(await claimedByOther(held)).toEqual([])
    await endLease(ctx, held.process)
    await recover(db, { expired: true, retry })
    const again = await claimedByOther(held)
    expect(again).toHaveLength(3)
    expect(again.find(one => one.deliveryId === held.deliveryId)).toMatchObject({
      sequence: held.sequence,
      attemptCount: 0,
      claim: held.claim + 1,
      lostClaims: 1,
    })
    expect(await db.query('select from process where number = $1', [held.process])).toEqual([])
  })

  test('when the lease ends, only unsettled deliveries are due again', async () => {
    const [delivered, lost, failed] = await threeHandedOver(ctx)
    await settle(db, [settlementOf(ctx, delivered, 204), settlementOf(ctx, failed, 503)])
    await endLease(ctx, lost.process)
    expect(await recover(db, { expired: true, retry })).toEqual({ recovered: 1 })
    expect(await claimedByOther(lost)).toMatchObject([{ deliveryId: lost.deliveryId, lostClaims: 1 }])
  })

  test('a process that returns its lease does not count its deliveries as lost', async () => {
    const [held] = await threeHandedOver(ctx)
    expect(await recover(db, { number: held.process })).toEqual({ recovered: 3 })
    expect((await claimedByOther(held)).map(one => one.lostClaims)).toEqual([0, 0, 0])
  })

  test('a delivery that was not started returns to the queue, and the others stay held', async () => {
    const [back, kept, other] = await threeHandedOver(ctx)
    await release(db, [back])
    expect(await claimedByOther(back)).toMatchObject([
      { deliveryId: back.deliveryId, claim: 2, attemptCount: 0, lostClaims: 0 },
    ])
    // the other process holds it now
    await release(db, [back])
    expect(await queueRow(ctx, back.deliveryId)).toMatchObject({ held: true, claim: 2 })
    await settle(db, [settlementOf(ctx, kept, 204), settlementOf(ctx, other, 204)])
    expect(await queuedBeside(ctx, kept)).toEqual([back.deliveryId])
  })

  test('an endpoint is healthy if its last attempt succeeded, also if that delivery is the oldest of its batch', async () => {
    const [oldest, newer] = await threeHandedOver(ctx)
    await settle(db, [settlementOf(ctx, newer, 503), settlementOf(ctx, oldest, 204)])
    const [endpoint] = await db.query('select failures_in_row, failing_since from endpoint where id = $1', [
      oldest.endpointId,
    ])
    expect(endpoint).toEqual({ failures_in_row: 0, failing_since: null })
  })

  test('a success after the lease has ended counts, and the delivery is not sent again', async () => {
    const [held] = await threeHandedOver(ctx)
    await recoverFrom(held)
    expect(await queueRow(ctx, held.deliveryId)).toMatchObject({ due: true, held: false })
    await settle(db, [settlementOf(ctx, held, 204)])
    expect(await queueRow(ctx, held.deliveryId)).toBeUndefined()
    expect(await delivery(held)).toMatchObject({ state: 'delivered', attempt_count: 1 })
  })

  test('a failure after the lease has ended is recorded as an attempt, and changes nothing else', async () => {
    const [held] = await threeHandedOver(ctx)
    await recoverFrom(held)
    await settle(db, [settlementOf(ctx, held, 503)])
    expect(await queueRow(ctx, held.deliveryId)).toMatchObject({
      due: true,
      held: false,
      claim: 1,
      attempt_count: 1,
      retries_used: 0,
    })
    expect(await delivery(held)).toMatchObject({ state: 'pending', attempt_count: 1 })
  })

  test('a late failure does not affect the process that holds the delivery now', async () => {
    const [held] = await threeHandedOver(ctx)
    await recoverFrom(held)
    const again = (await claimedByOther(held)).find(one => one.deliveryId === held.deliveryId)
    if (again === undefined) throw new Error('it was not claimed again')
    await settle(db, [settlementOf(ctx, held, 503)])
    expect(await queueRow(ctx, held.deliveryId)).toMatchObject({ held: true, claim: again.claim })
    await settle(db, [settlementOf(ctx, again, 204)])
    expect(await delivery(held)).toMatchObject({ state: 'delivered', attempt_count: 2 })
    expect(await db.query('select claim from delivery where id = $1', [held.deliveryId])).toEqual([
      { claim: again.claim },
    ])
  })

  test('a lease written while the clock was ahead gets its normal length when the clock is right', async () => {
    const [held] = await threeHandedOver(ctx)
    await db.query(
      `update process set last_seen_at = last_seen_at + interval '40 days', leased_until = leased_until + interval '40 days'
       where number = $1`,
      [held.process],
    )
    await recover(db, { expired: true, retry })
    expect(await claimedByOther(held), 'its process may be alive').toEqual([])
    const [lease] = await db.query(
      `select leased_until between now() + interval '20 seconds' and now() + interval '30 seconds' as is_ordinary
       from process where number = $1`,
      [held.process],
    )
    expect(lease).toEqual({ is_ordinary: true })
    await recoverFrom(held)
    expect(await claimedByOther(held)).toHaveLength(3)
  })

  test('deliveries assigned in a lost answer are released, even after the database was down for an hour', async () => {
    const held = new HeldDeliveries()
    const [unknown, known] = await threeHandedOver(ctx)
    held.add([known])
    held.answerLost(0)
    const away = { ...db, query: async () => await Promise.reject(new DatabaseUnavailableError('away')) }
    const hourMs = 3_600_000
    for (let nowMs = 0; nowMs <= hourMs; nowMs += 5_000)
      await expect(held.releaseUnknown(away, () => nowMs, unknown.process)).rejects.toThrow('away')
    const backMs = hourMs + 5_000
    expect(await held.releaseUnknown(db, () => backMs, unknown.process), 'it may be started yet').toBe(false)
    expect(await held.releaseUnknown(db, () => backMs + 1_000, unknown.process)).toBe(true)
    expect(await queueRow(ctx, unknown.deliveryId)).toMatchObject({ held: false, due: true })
    expect(await queueRow(ctx, known.deliveryId)).toMatchObject({ held: true })
  })

  async function recoverFrom({ process }: LeasedDelivery): Promise<void> {
    await endLease(ctx, process)
    await recover(db, { expired: true, retry })
  }

  /** Claims what another process finds due at the same endpoint. */
  async function claimedByOther(held: LeasedDelivery): Promise<LeasedDelivery[]> {
    const { claimed } = await claim(db, [asking(held)], claimAs(await startProcess(ctx)))
    return claimed
  }

  async function delivery({ accountId, deliveryId }: LeasedDelivery) {
    return await getDelivery(ctx, accountId, deliveryId)
  }
})
