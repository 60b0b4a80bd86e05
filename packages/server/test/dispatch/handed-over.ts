import type { TakenDelivery } from '../../src/domain/taken-delivery.ts'
import { newId } from '../../src/new-id.ts'
import { accept } from '../../src/outcomes/accept.ts'
import { newEvent } from '../../src/outcomes/new-event.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newAccount, type VerbContext } from '../verbs/verb-context.ts'

/** Three events of a new account with one endpoint, stored in one group and handed over to some process. */
export async function threeHandedOver(
  ctx: VerbContext,
): Promise<[TakenDelivery, TakenDelivery, TakenDelivery]> {
  const accountId = await newAccount(ctx)
  await createWebhook(ctx, accountId, { url: 'https://example.com/' })
  const events = ['em_1', 'em_2', 'em_3'].map((email_id, n) => {
    const data = { email_id, to: ['ada@example.org'], occurred_at: new Date().toISOString() }
    return newEvent({ accountId, type: 'email.delivered', data, outcomeId: null }, () => newId(ctx), n)
  })
  const rooms = { total: 100, perEndpoint: 100, known: () => new Map() }
  const { taken } = await accept(ctx.db, events, { ...takeOptions(ctx), rooms })
  const [first, second, third] = taken
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('too few were taken')
  return [first, second, third]
}

/** Of a process that takes deliveries. */
export function takeOptions(ctx: VerbContext) {
  return { processId: newId(ctx), leaseMs: 60_000, monotonicMs: () => performance.now() }
}

/** The lease of what was taken with it is over. */
export async function endLease(ctx: VerbContext, { hold }: TakenDelivery): Promise<void> {
  await ctx.db.query('update hold set leased_until = now() where id = $1', [hold?.id])
}

/** Which deliveries of its account are not finished. */
export async function unfinishedBeside(ctx: VerbContext, { accountId }: TakenDelivery): Promise<string[]> {
  const rows = await ctx.db.query<{ delivery_id: string }>(
    'select delivery_id from unfinished where account_id = $1 order by delivery_id',
    [accountId],
  )
  return rows.map(row => row.delivery_id)
}
