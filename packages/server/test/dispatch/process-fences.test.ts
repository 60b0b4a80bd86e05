import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { recover } from '../../src/dispatch/recover.ts'
import { release } from '../../src/dispatch/release.ts'
import { settle } from '../../src/dispatch/settle.ts'
import { openTestDatabase, serverBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { queueRow, startProcess } from '../verbs/stored-delivery.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newAccount, verbContext, type VerbContext } from '../verbs/verb-context.ts'
import {
  accountWithEndpoint,
  asking,
  claimAll,
  claimAs,
  claimOne,
  delivery,
  endLease,
  queuedBeside,
  report,
  statesOf,
  threeHandedOver,
} from './handed-over.ts'
import { settlementOf } from './settlement-of.ts'
import { someoneWaits } from './someone-waits.ts'

const retry = { baseSeconds: 1_000, capSeconds: 1_000_000 }

describe.each(serverBackends())('process rows on $name', backend => {
  let db: Database
  let ctx: VerbContext
  let first: number
  let second: number
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
    first = await startProcess(ctx, 3_000)
    second = await startProcess(ctx, 3_000)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('a process whose row is gone gets no deliveries, and another process claims them', async () => {
    const gone = await startProcess(ctx)
    const [one] = await threeHandedOver(ctx, gone)
    await endLease(ctx, gone)
    await recover(db, { expired: true, retry })
    const { handedOver, left } = await report(ctx, await accountWithEndpoint(ctx), gone, 2)
    expect([handedOver, left]).toMatchObject([[], [{ deliveries: 2 }]])
    expect(await claimAll(ctx, one, gone)).toEqual([])
    expect(await claimAll(ctx, one, second)).toHaveLength(3)
  })

  test('a recovery waits for a settlement and recovers nothing settled; a renewal does not wait', async () => {
    const dying = await startProcess(ctx)
    const held = await threeHandedOver(ctx, dying)
    let recovering: Promise<unknown> = Promise.resolve()
    await db.transaction(async tx => {
      await settle(
        tx,
        held.map(one => settlementOf(ctx, one, 204)),
      )
      await db.query(`update process set leased_until = now() + interval '1 minute' where number = $1`, [
        dying,
      ])
      await endLease(ctx, dying)
      recovering = recover(db, { expired: true, retry })
      await until('the recovery waits for the settlement', () => someoneWaits(db))
    })
    expect(await recovering).toEqual({ recovered: 0 })
    expect(await queuedBeside(ctx, held[0])).toEqual([])
    expect(await statesOf(ctx, held)).toEqual(['delivered', 'delivered', 'delivered'])
  })

  test.each(['hand-off', 'claim'])(
    'a recovery waits for a running %s, and no delivery stays with a process that is gone',
    async what => {
      const dying = await startProcess(ctx)
      const [one] = await threeHandedOver(ctx, first)
      await release(db, [one])
      const accountId = await accountWithEndpoint(ctx)
      let recovering: Promise<unknown> = Promise.resolve()
      await db.transaction(async tx => {
        if (what === 'claim') await claim(tx, [asking(one)], claimAs(dying))
        else await report({ ...ctx, db: tx }, accountId, dying, 1)
        await endLease(ctx, dying)
        recovering = recover(db, { expired: true, retry })
        await until('the recovery waits', () => someoneWaits(db), 5_000)
      })
      expect(await recovering).toEqual({ recovered: 1 })
      expect(await db.query('select from queue where process = $1', [dying])).toEqual([])
    },
  )

  test('a settlement waits for a running recovery, and its failure then counts as late', async () => {
    const dying = await startProcess(ctx)
    const [one] = await threeHandedOver(ctx, dying)
    let settling: Promise<unknown> = Promise.resolve()
    await db.transaction(async tx => {
      await recover({ ...tx, transaction: async work => await work(tx) }, { number: dying })
      settling = settle(db, [settlementOf(ctx, one, 503)])
      await until('the settlement waits for the recovery', () => someoneWaits(db))
    })
    await settling
    expect(await queueRow(ctx, one.deliveryId)).toMatchObject({ due: true, held: false, attempt_count: 1 })
    expect(await delivery(ctx, one)).toMatchObject({ state: 'pending', attempt_count: 1 })
  })

  test('a late success completes a delivery that another process is just claiming', async () => {
    const dying = await startProcess(ctx)
    const [one] = await threeHandedOver(ctx, dying)
    await endLease(ctx, dying)
    await recover(db, { expired: true, retry })
    let settling: Promise<unknown> = Promise.resolve()
    await db.transaction(async tx => {
      const { claimed } = await claim(tx, [asking(one)], claimAs(second))
      expect(claimed).toHaveLength(3)
      settling = settle(db, [settlementOf(ctx, one, 204)])
      await until('the settlement waits for the claim', () => someoneWaits(db))
    })
    await settling
    expect(await queuedBeside(ctx, one)).not.toContain(one.deliveryId)
    expect(await delivery(ctx, one)).toMatchObject({
      state: 'delivered',
      attempt_count: 1,
      last_error_code: null,
    })
  })

  test('a delivery released while a late failure is written is due again', async () => {
    const dying = await startProcess(ctx)
    const [one] = await threeHandedOver(ctx, dying)
    await endLease(ctx, dying)
    await recover(db, { expired: true, retry })
    const again = await claimOne(ctx, one, second)
    let releasing: Promise<unknown> = Promise.resolve()
    await db.transaction(async tx => {
      const within = {
        ...tx,
        transaction: async <T>(work: (inner: typeof tx) => Promise<T>) => await work(tx),
      }
      await settle(within, [settlementOf(ctx, one, 503)])
      releasing = release(db, [again])
      await until('the release waits for the late result', () => someoneWaits(db))
    })
    await releasing
    expect(await queueRow(ctx, one.deliveryId)).toMatchObject({ due: true, held: false, attempt_count: 1 })
  })

  test('a settlement locks endpoints account by account, as reports do, regardless of endpoint age', async () => {
    const [earlier, later] = [await newAccount(ctx), await newAccount(ctx)]
    for (const accountId of [later, earlier])
      await createWebhook(ctx, accountId, { url: 'https://example.com/' })
    const held = await Promise.all(
      [earlier, later].map(async accountId => (await report(ctx, accountId, first, 1)).handedOver),
    )
    const [ofEarlier, ofLater] = held.flat()
    if (ofEarlier === undefined || ofLater === undefined) throw new Error('too few were handed over')
    let settling: Promise<unknown> = Promise.resolve()
    await db.transaction(async tx => {
      const lock = 'select from endpoint where id = $1 for no key update nowait'
      await tx.query(lock, [ofEarlier.endpointId])
      settling = settle(db, [settlementOf(ctx, ofLater, 503), settlementOf(ctx, ofEarlier, 503)])
      await until('the settlement waits for the first endpoint', () => someoneWaits(db))
      await tx.query(lock, [ofLater.endpointId])
    })
    await settling
    expect(await statesOf(ctx, [ofEarlier, ofLater])).toEqual(['failed', 'failed'])
  })

  test('a 410 for an earlier version of an endpoint is retried and does not disable it', async () => {
    const [one, two] = await threeHandedOver(ctx, first)
    await db.query(
      `update endpoint set url = 'https://example.com/new', version = version + 1 where id = $1`,
      [one.endpointId],
    )
    const late = [one, two].map(delivery => settlementOf(ctx, delivery, 410))
    await settle(db, late)
    expect(late.map(({ verdict }) => verdict.state)).toEqual(['failed', 'failed'])
    for (const { deliveryId } of [one, two]) {
      expect(await queueRow(ctx, deliveryId)).toMatchObject({ held: false, attempt_count: 1 })
    }
    expect(await statesOf(ctx, [one, two])).toEqual(['failed', 'failed'])
    const [endpoint] = await db.query('select status, gone_deliveries from endpoint where id = $1', [
      one.endpointId,
    ])
    expect(endpoint).toEqual({ status: 'enabled', gone_deliveries: 0 })
  })

  test('a test event that gets 410 disables its endpoint, but nobody misses it', async () => {
    const [sample, real] = await threeHandedOver(ctx, first)
    const gone = async () => {
      const [row] = await db.query('select status, gone_deliveries from endpoint where id = $1', [
        sample.endpointId,
      ])
      return row
    }
    await settle(db, [settlementOf(ctx, { ...sample, goesFirst: true }, 410)])
    expect(await gone()).toEqual({ status: 'disabled', gone_deliveries: 0 })
    await settle(db, [settlementOf(ctx, real, 410)])
    expect(await gone()).toEqual({ status: 'disabled', gone_deliveries: 1 })
  })

  test('a lost delivery is due at once, and from the third loss on after the normal backoff', async () => {
    const waits: boolean[] = []
    const [one] = await threeHandedOver(ctx, first)
    await release(db, [one])
    for (let lost = 1; lost <= 4; lost++) {
      const dying = await startProcess(ctx)
      await db.query('update queue set due_at = now() where delivery_id = $1', [one.deliveryId])
      expect(await claimOne(ctx, one, dying)).toMatchObject({ lostClaims: lost - 1 })
      await endLease(ctx, dying)
      await recover(db, { expired: true, retry })
      waits.push((await queueRow(ctx, one.deliveryId))?.due !== true)
    }
    expect(waits).toEqual([false, false, true, true])
  })
})
