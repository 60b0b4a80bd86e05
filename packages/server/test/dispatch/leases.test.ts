import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { freeExpiredLeases } from '../../src/dispatch/free-expired-leases.ts'
import { settle } from '../../src/dispatch/settle.ts'
import type { TakenDelivery } from '../../src/domain/taken-delivery.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'
import { storeDelivery, storeEvent, waitingFor } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { settlementOf } from './settlement-of.ts'

/** What is to have its first attempt is held together with others, and what had one by itself. */
const kinds = [
  { what: 'first attempts', claim: 0 },
  { what: 'later ones', claim: 1 },
]
const cases = allBackends().flatMap(backend => kinds.map(kind => ({ backend, name: backend.name, ...kind })))

describe.each(cases)('leases for $what on $name', ({ backend, claim: earlierClaim }) => {
  let db: Database
  let ctx: VerbContext
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
  })
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('what is held is nobody else’s until the lease is over, and then due as it was', async () => {
    const [held, process, other] = [await newTaken(), newId(ctx), newId(ctx)]
    await freeExpiredLeases(db, other)
    expect(await claimAgain(held, process)).toBeUndefined()
    await endLease(held)
    await freeExpiredLeases(db, other)
    expect(await claimAgain(held, process)).toMatchObject({
      deliveryId: held.deliveryId,
      sequence: held.sequence,
      attemptCount: held.attemptCount,
      claim: held.claim + 1,
    })
  })

  test('only what another process held bears the mark of a lost one', async () => {
    const process = newId(ctx)
    const [own, others] = [await newTaken(process), await newTaken()]
    await endLease(own)
    await endLease(others)
    await freeExpiredLeases(db, process)
    expect(await claimAgain(own, process)).toMatchObject({ lostClaims: 0 })
    expect(await claimAgain(others, process)).toMatchObject({ lostClaims: 1 })
  })

  test('a success counts although it waits anew by then, and is not sent again', async () => {
    const held = await newTaken()
    await endLease(held)
    await freeExpiredLeases(db, newId(ctx))
    expect(await waitingFor(ctx, held.deliveryId)).toMatchObject({ due: true, taken: false })
    await settle(db, [settlementOf(ctx, held, 204)])
    expect(await waitingFor(ctx, held.deliveryId)).toBeUndefined()
    expect(await getDelivery(ctx, held.accountId, held.deliveryId)).toMatchObject({
      state: 'delivered',
      attempt_count: 1,
    })
  })

  test('a failure that comes when it waits anew is written down, and changes nothing else', async () => {
    const held = await newTaken()
    await endLease(held)
    await freeExpiredLeases(db, newId(ctx))
    const before = await waitingFor(ctx, held.deliveryId)
    await settle(db, [settlementOf(ctx, held, 503)])
    expect(await waitingFor(ctx, held.deliveryId)).toEqual(before)
    expect(await getDelivery(ctx, held.accountId, held.deliveryId)).toMatchObject({
      state: 'pending',
      attempt_count: 1,
    })
  })

  test('a failure that comes when another process holds it takes nothing away from that one', async () => {
    const [held, other] = [await newTaken(), newId(ctx)]
    await endLease(held)
    await freeExpiredLeases(db, other)
    const again = await claimAgain(held, other)
    if (again === undefined) throw new Error('it was not claimed again')
    await settle(db, [settlementOf(ctx, held, 503)])
    expect(await waitingFor(ctx, held.deliveryId)).toMatchObject({ taken: true })
    await settle(db, [settlementOf(ctx, again, 204)])
    expect(await getDelivery(ctx, held.accountId, held.deliveryId)).toMatchObject({
      state: 'delivered',
      attempt_count: 2,
    })
  })

  /** A delivery of an endpoint of its own, claimed by some process. */
  async function newTaken(processId = newId(ctx)): Promise<TakenDelivery> {
    const accountId = await newAccount(ctx)
    const endpointId = uuidOf('wh', (await createWebhook(ctx, accountId, { url: 'https://example.com/' })).id)
    const event = await storeEvent(ctx, accountId, {})
    const deliveryId = await storeDelivery(ctx, accountId, endpointId, event, { claim: earlierClaim })
    await db.query('update waiting set due_at = now() where delivery_id = $1', [deliveryId])
    const [taken] = await claim(db, [{ accountId, endpointId, room: 10 }], options(processId))
    if (taken === undefined) throw new Error('nothing was claimed')
    return taken
  }

  async function claimAgain(
    { accountId, endpointId }: TakenDelivery,
    processId: string,
  ): Promise<TakenDelivery | undefined> {
    const [taken] = await claim(db, [{ accountId, endpointId, room: 10 }], options(processId))
    return taken
  }

  async function endLease({ deliveryId }: TakenDelivery): Promise<void> {
    await db.query('update taken set leased_until = now() where delivery_id = $1', [deliveryId])
    await db.query('update hold set leased_until = now() where $1 = any(delivery_ids)', [deliveryId])
  }
})

function options(processId: string) {
  return { processId, leaseMs: 60_000, monotonicMs: () => performance.now() }
}
