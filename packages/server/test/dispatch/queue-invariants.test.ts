import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { retryDelivery } from '../../src/deliveries/retry-delivery.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { release } from '../../src/dispatch/release.ts'
import { settle, type Settlement } from '../../src/dispatch/settle.ts'
import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'
import { advanceErasures } from '../../src/erasures/advance-erasures.ts'
import { createErasure } from '../../src/erasures/create-erasure.ts'
import { settleDeletedEndpoints } from '../../src/maintenance/settle-deleted-endpoints.ts'
import { deleteWebhook } from '../../src/webhooks/delete-webhook.ts'
import { openTestDatabase, serverBackends } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { queueRow, startProcess } from '../verbs/stored-delivery.ts'
import { refusal, verbContext, type VerbContext } from '../verbs/verb-context.ts'
import {
  accountWithEndpoint,
  asking,
  claimAll,
  claimAs,
  claimOne,
  delivery,
  queuedBeside,
  report,
  statesOf,
  threeHandedOver,
} from './handed-over.ts'
import { settlementOf } from './settlement-of.ts'
import { someoneWaits } from './someone-waits.ts'

describe.each(serverBackends())('the queue of two processes on $name', backend => {
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

  test('a delivery is in the queue exactly while it is pending or failed', async () => {
    const [delivered, failed, exhausted] = await threeHandedOver(ctx, first)
    await expectQueuedAsStated()
    await settle(db, [
      settlementOf(ctx, delivered, 204),
      settlementOf(ctx, failed, 503),
      settlementOf(ctx, usedUp(exhausted), 503),
    ])
    await expectQueuedAsStated()
    expect(await statesOf(ctx, [delivered, failed, exhausted])).toEqual(['delivered', 'failed', 'exhausted'])
    expect(await queuedBeside(ctx, delivered)).toEqual([failed.deliveryId])

    for (const one of [delivered, exhausted]) await retryDelivery(ctx, one.accountId, one.deliveryId)
    await expectQueuedAsStated()
    const again = await claimAll(ctx, delivered, second)
    expect(again.map(one => one.trigger)).toEqual(['manual', 'manual'])
    await expectQueuedAsStated()
    await settle(
      db,
      again.map(one => settlementOf(ctx, one, 503)),
    )
    await expectQueuedAsStated()
    expect(await statesOf(ctx, [delivered, failed])).toEqual(['delivered', 'failed'])

    await deleteWebhook(ctx, failed.accountId, failed.endpointId)
    await settleDeletedEndpoints(ctx)
    await expectQueuedAsStated()
    expect(await queuedBeside(ctx, failed)).toEqual([])
  })

  test('each assignment, claim, manual retry and erasure raises the claim number, which outlives the queue row', async () => {
    const [one] = await threeHandedOver(ctx, first)
    const claims = [one.claim]
    await release(db, [one])
    const claimed = await claimOne(ctx, one, second)
    claims.push(claimed.claim)
    await settle(db, [settlementOf(ctx, claimed, 204)])
    expect(await storedClaim(one)).toBe(claimed.claim)
    await retryDelivery(ctx, one.accountId, one.deliveryId)
    claims.push((await queueRow(ctx, one.deliveryId))?.claim ?? 0)
    const retried = await claimOne(ctx, one, first)
    claims.push(retried.claim)
    await erase(one)
    claims.push(await storedClaim(one))
    expect(claims).toEqual([1, 2, 3, 4, 5])
  })

  test('a failure from an outdated process or claim is only recorded as an attempt', async () => {
    const [one] = await threeHandedOver(ctx, first)
    await release(db, [one])
    const current = await claimOne(ctx, one, second)
    const before = await queueRow(ctx, one.deliveryId)
    const late = [one, { ...current, process: first }, { ...current, claim: one.claim }]
    for (const [n, wrong] of late.entries()) {
      await settle(db, [settlementOf(ctx, wrong, 503)])
      expect(await queueRow(ctx, one.deliveryId)).toEqual({ ...before, attempt_count: n + 1 })
      expect(await delivery(ctx, one)).toMatchObject({ state: 'pending', attempt_count: n + 1 })
    }
    await settle(db, [settlementOf(ctx, current, 503)])
    expect(await queueRow(ctx, one.deliveryId)).toMatchObject({ held: false, attempt_count: 4 })
    expect(await delivery(ctx, one)).toMatchObject({ state: 'failed', attempt_count: 4 })
    expect((await delivery(ctx, one)).attempts).toHaveLength(4)
  })

  test('a late success completes a delivery held by another process, whose later failure is only an attempt', async () => {
    const [one] = await threeHandedOver(ctx, first)
    await release(db, [one])
    const other = await claimOne(ctx, one, second)
    await settle(db, [settlementOf(ctx, one, 204)])
    expect(await queueRow(ctx, one.deliveryId)).toBeUndefined()
    expect(await storedClaim(one)).toBe(other.claim)
    await settle(db, [settlementOf(ctx, other, 503)])
    expect(await delivery(ctx, one)).toMatchObject({ state: 'delivered', attempt_count: 2 })
    await expectQueuedAsStated()
  })

  test('a late success completes an exhausted delivery', async () => {
    const [one] = await threeHandedOver(ctx, first)
    await release(db, [one])
    const other = await claimOne(ctx, one, second)
    await settle(db, [settlementOf(ctx, usedUp(other), 503)])
    expect(await delivery(ctx, one)).toMatchObject({ state: 'exhausted', reason: 'retries_used' })
    await settle(db, [settlementOf(ctx, one, 204)])
    expect(await delivery(ctx, one)).toMatchObject({ state: 'delivered', reason: null, attempt_count: 2 })
    await expectQueuedAsStated()
  })

  test('a manual retry waits for an erasure of its event, and is then rejected', async () => {
    const [one] = await threeHandedOver(ctx, first)
    await settle(db, [settlementOf(ctx, one, 503)])
    let retrying: Promise<string> = Promise.resolve('')
    await db.transaction(async tx => {
      await tx.query('select from event where account_id = $1 and id = $2 for update', [
        one.accountId,
        one.eventId,
      ])
      retrying = refusal(retryDelivery(ctx, one.accountId, one.deliveryId))
      await until('the retry waits for the erasure', () => someoneWaits(db))
      await tx.query('update event set erased_at = now() where account_id = $1 and id = $2', [
        one.accountId,
        one.eventId,
      ])
    })
    expect(await retrying).toBe('delivery_erased')
  })

  test.each([null, 100])(
    'with a rate limit of %s a claim repeats within 100 ms after skipping a locked row',
    async rateLimit => {
      const [one, other, third] = await threeHandedOver(ctx, first)
      await release(db, [one, other, third])
      await db.query('update endpoint set rate_limit_per_second = $2, bucket_tokens = 50 where id = $1', [
        one.endpointId,
        rateLimit,
      ])
      const asked = [{ ...asking(one), limited: rateLimit !== null }]
      await db.transaction(async tx => {
        await tx.query('select from queue where delivery_id = $1 for update', [one.deliveryId])
        const { claimed, again } = await claim(db, asked, claimAs(second))
        expect(claimed.map(it => it.deliveryId)).toEqual([other.deliveryId, third.deliveryId])
        expect(again).toEqual([{ endpointId: one.endpointId, inMs: 100 }])
      })
      const { claimed, again } = await claim(db, asked, claimAs(second))
      expect([claimed.map(it => it.deliveryId), again]).toEqual([[one.deliveryId], []])
    },
  )

  test('a failed attempt exhausts the delivery at a deleted endpoint, but not at a disabled one', async () => {
    const [atDisabled] = await threeHandedOver(ctx, first)
    const [atDeleted, delivered] = await threeHandedOver(ctx, second)
    await db.query(`update endpoint set status = 'disabled', disabled_reason = 'manual' where id = $1`, [
      atDisabled.endpointId,
    ])
    await deleteWebhook(ctx, atDeleted.accountId, atDeleted.endpointId)
    await settle(db, [
      settlementOf(ctx, atDisabled, 503),
      settlementOf(ctx, atDeleted, 503),
      settlementOf(ctx, delivered, 204),
    ])
    expect(await delivery(ctx, atDisabled)).toMatchObject({ state: 'failed' })
    expect(await delivery(ctx, atDeleted)).toMatchObject({ state: 'exhausted', reason: 'endpoint_deleted' })
    expect(await delivery(ctx, delivered)).toMatchObject({ state: 'delivered' })
    expect(await claimAll(ctx, atDisabled, second)).toEqual([])
    await expectQueuedAsStated()
  })

  test('a result after an erasure is stored without headers and bodies, and the delivery stays erased', async () => {
    const [one, other] = await threeHandedOver(ctx, first)
    const receipt = await erase(one)
    for (const [late, statusCode] of [
      [one, 204],
      [other, 503],
    ] as const) {
      await settle(db, [withBodies(settlementOf(ctx, late, statusCode))])
      expect(await delivery(ctx, late)).toMatchObject({
        state: 'exhausted',
        reason: 'erased',
        attempt_count: 1,
      })
    }
    const attempts = await db.query(
      'select status_code, request, response_headers, response_body from attempt where account_id = $1 order by 1',
      [one.accountId],
    )
    const cleared = { request: null, response_headers: null, response_body: null }
    expect(attempts).toEqual([
      { status_code: 204, ...cleared },
      { status_code: 503, ...cleared },
    ])
    // attempts of held deliveries may have been in flight
    expect(receipt).toEqual({ finished: 0 })
    await db.query(`update erasure set under_way_until = now() where account_id = $1`, [one.accountId])
    expect(await advanceErasures(ctx)).toEqual({ finished: 1 })
    await expectQueuedAsStated()
  })

  test('two processes that report at once number an endpoint’s deliveries without gaps', async () => {
    const accountId = await accountWithEndpoint(ctx)
    const reports = Array.from({ length: 20 }, (_, n) => report(ctx, accountId, n % 2 ? first : second, 5))
    const handedOver = (await Promise.all(reports)).flatMap(accepted => accepted.handedOver)
    const numbers = handedOver.map(one => one.sequence).toSorted((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
    const stored = await db.query<{ id: string; sequence: number }>(
      'select id, sequence from delivery where account_id = $1',
      [accountId],
    )
    expect(new Map(stored.map(row => [row.id, row.sequence]))).toEqual(
      new Map(handedOver.map(one => [one.deliveryId, one.sequence])),
    )
  })

  /** Checks the invariant for all deliveries in both directions. */
  async function expectQueuedAsStated(): Promise<void> {
    const wrong = await db.query(
      `select d.id, d.state, q.delivery_id from delivery d
       full join queue q on q.account_id = d.account_id and q.delivery_id = d.id
       where (d.state in ('pending', 'failed')) is distinct from (q.delivery_id is not null)`,
    )
    expect(wrong).toEqual([])
  }

  async function storedClaim({ deliveryId }: LeasedDelivery): Promise<number> {
    const [row] = await db.query<{ claim: number }>('select claim from delivery where id = $1', [deliveryId])
    return row?.claim ?? 0
  }

  /** Erases the recipient of all events of an account. */
  async function erase({ accountId }: LeasedDelivery): Promise<{ finished: number }> {
    await createErasure(ctx, accountId, 'ada@example.org')
    return await advanceErasures(ctx)
  }
})

/** The delivery without retries left. */
function usedUp(one: LeasedDelivery): LeasedDelivery {
  return { ...one, retriesUsed: 1_000 }
}

function withBodies({ delivery, verdict, attempt }: Settlement): Settlement {
  if (attempt === null) throw new Error('there was no attempt')
  const exchange = {
    ...attempt.exchange,
    responseHeaders: { server: 'ada@example.org' },
    responseBody: 'for ada@example.org',
  }
  return { delivery, verdict, attempt: { ...attempt, request: 'ada@example.org', exchange } }
}
