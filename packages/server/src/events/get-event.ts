import type { Delivery, Event } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { type DeliveryRow, selectDeliveries, toDelivery } from '../deliveries/row.ts'
import { firstUuidV7At, uuidV7Ms } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'
import { type EventRow, eventColumns, toEvent } from './row.ts'

/** One event with all its deliveries, oldest first. */
export async function getEvent(ctx: Ctx, accountId: string, eventId: string): Promise<Event> {
  const [row] = await ctx.db.query<EventRow>(
    `select ${eventColumns} from event v where v.account_id = $1 and v.id = $2`,
    [accountId, eventId],
  )
  if (row === undefined) {
    throw new AppError(
      'not_found',
      'There is no such event. Events are kept for as many days as the operator set.',
    )
  }
  return { ...toEvent(row), deliveries: await readDeliveries(ctx, accountId, eventId) }
}

/** Two processes may make an event and a delivery of it with clocks that differ by as much as readiness allows. */
const clockDifferenceMsMax = 60_000

async function readDeliveries(ctx: Ctx, accountId: string, eventId: string): Promise<Delivery[]> {
  const rows = await ctx.db.query<DeliveryRow>(
    // none is older than its event, so the days before it are not looked into
    `${selectDeliveries('delivery')}
     where d.account_id = $1 and d.event_id = $2 and d.id >= $3
     order by d.id`,
    [accountId, eventId, firstUuidV7At(uuidV7Ms(eventId) - clockDifferenceMsMax)],
  )
  return rows.map(toDelivery)
}
