import type { NoticeData, NoticeType } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { typeId } from '../domain/type-id.ts'
import { newId } from '../new-id.ts'
import { mailNotice, type NoticeContext } from './mail-notice.ts'

/**
 * Queues a notice for the account's notice webhook and as an email, in the transaction of the change that caused it.
 * The webhook gets one event and one delivery like any other. Does nothing if the account has neither. The caller
 * wakes the dispatchers after the commit.
 */
export async function storeNotice<Type extends NoticeType>(
  ctx: NoticeContext,
  accountId: string,
  type: Type,
  data: NoticeData<Type>,
): Promise<void> {
  const eventId = newId(ctx)
  const body = noticeBody(eventId, type, data, new Date(ctx.clock.nowMs()))
  await ctx.db.query(
    // the update locks the row like accepting an event does, so that the sequence numbers have no gaps
    `with target as (
       update endpoint set last_sequence = last_sequence + 1
       where account_id = $1 and kind = 'notices' and deleted_at is null
       returning id, last_sequence as sequence
     ), stored_event as (
       insert into event (account_id, id, type, search_keys, body)
       select $1, $2, $3::event_type, '{}', $5 from target
     ), stored_delivery as (
       insert into delivery (account_id, id, endpoint_id, event_id, type, sequence)
       select $1, $4, id, $2, $3::event_type, sequence from target
     )
     insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
     select $1, $4, id, $2, now(), sequence from target`,
    [accountId, eventId, type, deliveryIdOf(ctx, eventId), body],
  )
  await mailNotice(ctx, accountId, type, data)
}

/** The envelope of events, with its keys in the same order. */
function noticeBody(eventId: string, type: NoticeType, data: object, createdAt: Date): Buffer {
  return Buffer.from(
    JSON.stringify({ id: typeId('evt', eventId), type, data, created_at: createdAt.toISOString() }),
  )
}

/** A delivery's id contains the same millisecond as its event's id. */
function deliveryIdOf(ctx: Pick<Ctx, 'clock' | 'random'>, eventId: string): string {
  return eventId.slice(0, 13) + newId(ctx).slice(13)
}
