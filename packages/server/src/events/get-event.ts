import type { Delivery, Event } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { type DeliveryRow, selectDeliveries, toDelivery } from '../deliveries/row.ts'
import { noticeTypesSql } from '../notices/notice-types.ts'
import { firstUuidV7At, uuidV7Ms } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'
import { type EventRow, eventColumns, toEvent } from './row.ts'

/** One event with all its deliveries, oldest first. */
export async function getEvent(ctx: Ctx, accountId: string, eventId: string): Promise<Event> {
  const [row] = await ctx.history.query<EventRow>(
    `select ${eventColumns} from event v where v.account_id = $1 and v.id = $2 and v.type <> all(${noticeTypesSql})`,
    [accountId, eventId],
  )
  if (row === undefined) {
    throw new AppError(
      'not_found',
      'This event does not exist. Posthorn deletes events after the retention period.',
    )
  }
  return { ...toEvent(row), deliveries: await readDeliveries(ctx, accountId, eventId) }
}

async function readDeliveries(ctx: Ctx, accountId: string, eventId: string): Promise<Delivery[]> {
  const ms = uuidV7Ms(eventId)
  const rows = await ctx.history.query<DeliveryRow>(
    // a delivery's id starts with the millisecond of its event, so this is a short range of the primary key
    `${selectDeliveries('delivery')}
     where d.account_id = $1 and d.event_id = $2 and d.id >= $3 and d.id < $4
     order by d.id`,
    [accountId, eventId, firstUuidV7At(ms), firstUuidV7At(ms + 1)],
  )
  return rows.map(row => toDelivery(row, ctx.settings))
}
