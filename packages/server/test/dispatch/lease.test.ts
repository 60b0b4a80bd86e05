import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { Lease, type LeaseOptions } from '../../src/dispatch/lease.ts'
import { recover } from '../../src/dispatch/recover.ts'
import { openTestDatabase, serverBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { queueRow, startProcess } from '../verbs/stored-delivery.ts'
import { verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { claimAll, report, threeHandedOver } from './handed-over.ts'

describe.each(serverBackends())('the lease of a process on $name', backend => {
  let db: Database
  let ctx: VerbContext
  let timeline = 0
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('is kept while its process lives, and its deliveries are not recovered', async () => {
    await using lease = await open({ leaseMs: 2_000 })
    const { number } = lease
    const [held] = await threeHandedOver(ctx, number)
    const [begun] = await row(number)
    await until('it would have ended', async () => {
      const [now] = await db.query<{ ended: boolean }>('select clock_timestamp() > $1 as ended', [
        begun?.leased_until,
      ])
      return now?.ended
    })
    await recover(db, { expired: true, retry: { baseSeconds: 1, capSeconds: 1 } })
    expect([lease.number, lease.coversAttempt]).toEqual([number, true])
    expect(await queueRow(ctx, held.deliveryId)).toMatchObject({ held: true })
  })

  test('starts again under a new number after another process has recovered it', async () => {
    const lost: number[] = []
    await using lease = await open({ onLost: () => lost.push(lease.number) })
    const { number } = lease
    await recover(db, { number })
    await until('the loss is noticed', () => lost.length > 0)
    expect(lease.number).toBeGreaterThan(number)
    expect(lost).toEqual([lease.number])
    expect(lease.coversAttempt).toBe(true)
    expect([await row(number), await row(lease.number)]).toMatchObject([[], [{}]])
  })

  test('starts again after a standby has taken over, and its deliveries are due again', async () => {
    let losses = 0
    await using lease = await open({ onLost: () => losses++ })
    const { number } = lease
    const [held] = await threeHandedOver(ctx, number)
    await takeOver()
    await until('the loss is noticed', () => losses > 0)
    expect(lease.number).toBeGreaterThan(number)
    expect(await row(number)).toEqual([])
    expect(await queueRow(ctx, held.deliveryId)).toMatchObject({ held: false, due: true })
    expect(losses).toBe(1)
  })

  test('gets no deliveries by claim or accept if it was registered before a standby took over', async () => {
    const [first, second] = [await startProcess(ctx), await startProcess(ctx)]
    const [held] = await threeHandedOver(ctx, first)
    await recover(db, { number: first })
    await takeOver()
    expect(await claimAll(ctx, held, second)).toEqual([])
    expect((await report(ctx, held.accountId, second, 1)).handedOver).toEqual([])
    expect(await claimAll(ctx, held, await startProcess(ctx))).toHaveLength(4)
  })

  test('covers only attempts that end a second before it does, counted from the renewal request', async () => {
    const clock = { nowMs: 0, monotonicMs: () => clock.nowMs }
    let takesMs = 0
    let renewals = 0
    const slow: Database['query'] = async (statement, values) => {
      const rows = await db.query(statement, values)
      clock.nowMs += takesMs
      renewals++
      return rows as never[]
    }
    const options = { leaseMs: 20_000, attemptTimeoutMs: 15_000, clock, db: { ...db, query: slow } }
    await using lease = await open(options)
    await until('it was renewed', () => renewals >= 2 && lease.coversAttempt)
    clock.nowMs = 4_000
    expect(lease.coversAttempt).toBe(true)
    clock.nowMs = 4_001
    expect(lease.coversAttempt).toBe(false)
    await until('the next renewal covers them again', () => lease.coversAttempt)
    takesMs = 4_001
    const before = renewals
    await until('a renewal took long', () => renewals > before)
    expect(lease.coversAttempt).toBe(false)
    takesMs = 0
  })

  test('reports a failed renewal, expires, and is renewed when the database is back', async () => {
    const errors: unknown[] = []
    let isAway = false
    const query: Database['query'] = async (statement, values) => {
      if (isAway) throw new Error('away')
      return await db.query(statement, values)
    }
    await using lease = await open({ db: { ...db, query }, onError: error => errors.push(error) })
    isAway = true
    await until('it does not cover an attempt', () => !lease.coversAttempt)
    expect(errors.length).toBeGreaterThan(0)
    isAway = false
    await until('it is renewed', () => lease.coversAttempt)
  })

  test('is released together with all deliveries held under it', async () => {
    const lease = await open({})
    const [held] = await threeHandedOver(ctx, lease.number)
    await lease[Symbol.asyncDispose]()
    expect(await row(lease.number)).toEqual([])
    expect(await queueRow(ctx, held.deliveryId)).toMatchObject({ held: false, due: true, claim: 1 })
    expect(await db.query('select lost_claims from queue where delivery_id = $1', [held.deliveryId])).toEqual(
      [{ lost_claims: 0 }],
    )
  })

  /** Opens a lease that is renewed several times per second. */
  async function open(options: Partial<LeaseOptions>): Promise<Lease> {
    const perSecond = { accepted: 0, delivered: 0, failed: 0 }
    return await Lease.open({
      db,
      clock: { monotonicMs: () => performance.now() },
      leaseMs: 1_900,
      attemptTimeoutMs: 300,
      process: { host: 'host', role: 'all', version: '0', startedAtMs: 0 },
      activity: () => ({ inFlight: 0, held: 0, unsettled: 0, perSecond }),
      onLost: () => {
        throw new Error('the lease was lost')
      },
      onError: error => {
        throw error
      },
      ...options,
    })
  }

  /** The database is on another timeline from now on, as after the promotion of a standby. */
  async function takeOver(): Promise<void> {
    await db.query(
      `create or replace function wal_timeline() returns text language sql stable as $$ select '${++timeline}' $$`,
    )
  }

  async function row(number: number): Promise<Array<{ leased_until: Date }>> {
    return await db.query('select leased_until from process where number = $1', [number])
  }
})
