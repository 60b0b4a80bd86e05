import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { claim } from '../../src/dispatch/claim.ts'
import type { LeasedDelivery } from '../../src/domain/leased-delivery.ts'
import { newId } from '../../src/new-id.ts'
import { accept } from '../../src/outcomes/accept.ts'
import { newEvent } from '../../src/outcomes/new-event.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { startProcess } from '../verbs/stored-delivery.ts'
import { newAccount, type VerbContext } from '../verbs/verb-context.ts'

/** Stores three events in one group for a new account with one endpoint, and hands them off to a process. */
export async function threeHandedOver(
  ctx: VerbContext,
  process?: number,
): Promise<[LeasedDelivery, LeasedDelivery, LeasedDelivery]> {
  const accountId = await accountWithEndpoint(ctx)
  const { handedOver } = await report(ctx, accountId, process ?? (await startProcess(ctx)), 3)
  const [first, second, third] = handedOver
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('too few were handed over')
  return [first, second, third]
}

/** Creates an account with an endpoint that subscribes to all events. */
export async function accountWithEndpoint(ctx: VerbContext): Promise<string> {
  const accountId = await newAccount(ctx)
  await createWebhook(ctx, accountId, { url: 'https://example.com/' })
  return accountId
}

/** Stores events in one group, with enough capacity to hand them all off. */
export async function report(
  ctx: VerbContext,
  accountId: string,
  process: number,
  count: number,
): ReturnType<typeof accept> {
  const events = Array.from({ length: count }, (_, n) => {
    const data = { email_id: `em_${n}`, to: ['ada@example.org'], occurred_at: new Date().toISOString() }
    return newEvent({ accountId, type: 'email.delivered', data, outcomeId: null }, () => newId(ctx), n)
  })
  return await accept(ctx.db, events, handOffTo(process))
}

/** The capacity of a process that can start everything. */
export function handOffTo(process: number) {
  const capacity = { total: 100, perEndpoint: 100, known: () => new Map<string, number>() }
  return { capacity, process, countedAs: 1, monotonicMs: () => performance.now() }
}

/** The claimer of a process. */
export function claimAs(number: number) {
  return { number, drainPerSecond: 50, monotonicMs: () => performance.now() }
}

/** Asks a claim for a healthy endpoint without limits. */
export function asking({ accountId, endpointId }: { accountId: string; endpointId: string }, capacity = 10) {
  return { accountId, endpointId, failuresInRow: 0, limited: false, capacity }
}

/** Ends the lease of a process. */
export async function endLease({ db }: Pick<VerbContext, 'db'>, process: number): Promise<void> {
  await db.query('update process set leased_until = now() where number = $1', [process])
}

/** The queued deliveries of the account. */
export async function queuedBeside({ db }: VerbContext, { accountId }: LeasedDelivery): Promise<string[]> {
  const rows = await db.query<{ delivery_id: string }>(
    'select delivery_id from queue where account_id = $1 order by delivery_id',
    [accountId],
  )
  return rows.map(row => row.delivery_id)
}

/** Claims all deliveries of the endpoint that a process can claim. */
export async function claimAll(
  ctx: VerbContext,
  one: LeasedDelivery,
  process: number,
): Promise<LeasedDelivery[]> {
  return (await claim(ctx.db, [asking(one)], claimAs(process))).claimed
}

/** Claims the delivery, which must be the first of its endpoint. */
export async function claimOne(
  ctx: VerbContext,
  one: LeasedDelivery,
  process: number,
): Promise<LeasedDelivery> {
  const [claimed] = await claimAll(ctx, one, process)
  if (claimed?.deliveryId !== one.deliveryId) throw new Error('another delivery was claimed, or none')
  return claimed
}

/** The delivery as its owner sees it. */
export async function delivery(ctx: VerbContext, { accountId, deliveryId }: LeasedDelivery) {
  return await getDelivery(ctx, accountId, deliveryId)
}

export async function statesOf(ctx: VerbContext, all: readonly LeasedDelivery[]): Promise<string[]> {
  return await Promise.all(all.map(async one => (await delivery(ctx, one)).state))
}
