import { eventCatalogue, type TestEvent, type TestEventCreate } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { typeId } from '../domain/type-id.ts'
import { AppError, accountMoving } from '../errors.ts'
import { newId } from '../new-id.ts'
import type { NewEvent } from '../outcomes/accept.ts'
import { newEvent } from '../outcomes/new-event.ts'
import { getWebhook } from './get-webhook.ts'
import { webhookNotFound } from './webhook-not-found.ts'

/**
 * Creates a sample event and its delivery to this endpoint only, even if the endpoint does not subscribe to the type. It
 * behaves like any other event, except that it goes before the backlog of the endpoint: a customer can prove a fix at once.
 */
export async function sendTestEvent(
  ctx: Ctx,
  accountId: string,
  webhookId: string,
  { type }: TestEventCreate,
): Promise<TestEvent> {
  const data = {
    ...eventCatalogue[type].sampleData,
    email_id: testEmailId(newId(ctx)),
    occurred_at: new Date(ctx.clock.nowMs()).toISOString(),
  }
  const event = newEvent({ accountId, type, data, outcomeId: null }, () => newId(ctx), 0)
  const deliveryId = await ctx.db.transaction(async tx => {
    await lockEnabled(tx, accountId, webhookId)
    return await storeTestEvent(tx, webhookId, event)
  })
  ctx.outside.wakeDispatchers()
  return { event_id: typeId('evt', event.id), delivery_id: typeId('dlv', deliveryId) }
}

/** The id of an email that was never sent, with a prefix that receivers can recognize. */
export function testEmailId(uuid: string): string {
  return typeId('em', uuid).replace(/^em_/, 'em_test_')
}

/** A search key that no value has. Replays to other endpoints use it to skip test events. */
const testEventKey = 0n

/** Locks the endpoint's row, as accept does to number deliveries. */
async function lockEnabled(tx: Queryable, accountId: string, webhookId: string): Promise<void> {
  const [locked] = await tx.query<{ isMoving: boolean }>(
    `select status = 'moving' as "isMoving" from endpoint where account_id = $1 and id = $2 for no key update`,
    [accountId, webhookId],
  )
  if (locked?.isMoving === true) throw accountMoving()
  const { status } = await getWebhook({ db: tx }, accountId, webhookId)
  if (status === 'enabled') return
  throw new AppError(
    'endpoint_disabled',
    'The endpoint is disabled. Enable it first, then send the test event.',
  )
}

async function storeTestEvent(tx: Queryable, webhookId: string, event: NewEvent): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `with numbered as (
       update endpoint set last_sequence = last_sequence + 1 where account_id = $1 and id = $2
       returning last_sequence
     ),
     stored_event as (
       insert into event (account_id, id, type, search_keys, body) values ($1, $3, $4, $5, $6)
     ),
     stored_delivery as (
       insert into delivery (account_id, id, endpoint_id, event_id, type, sequence)
       select $1, $7, $2, $3, $4, last_sequence from numbered
       returning *
     ),
     queued as (
       insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, trigger, goes_first)
       select account_id, id, endpoint_id, event_id, now(), sequence, 'test', true from stored_delivery
     )
     select id from stored_delivery`,
    [
      event.accountId,
      webhookId,
      event.id,
      event.type,
      [...event.searchKeys, testEventKey],
      event.body,
      event.firstDeliveryId,
    ],
  )
  if (row === undefined) throw webhookNotFound()
  return row.id
}
