import type { Delivery, DeliverySearchQuery, Page } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { parseTypeId } from '../domain/type-id.ts'
import { leastUuid } from '../db/id-bounds.ts'
import { searchKeys } from '../events/search-keys.ts'
import { idCursor, sequenceCursor, toPage, twoIdsCursor } from '../page.ts'
import { areRare, statesOf } from './delivery-filters.ts'
import { findDeliveriesOfEvents } from './find-deliveries-of-events.ts'
import { toDelivery } from './row.ts'
import { walkDeliveries } from './walk-deliveries.ts'

/**
 * The deliveries of an account, newest first. It finds them by their events if the filter names or implies few events,
 * otherwise in the order of the endpoint or of the account.
 */
export async function searchDeliveries(
  ctx: Ctx,
  accountId: string,
  input: DeliverySearchQuery,
): Promise<Page<Delivery>> {
  const keys = searchKeys(accountId, input)
  const endpointId = input.webhook_id === undefined ? null : parseTypeId('wh', input.webhook_id)
  const isRareType = areRare(input.type) && statesOf(input).includes('delivered')
  if (input.event_id !== undefined || keys !== null || (isRareType && endpointId === null)) {
    return await searchThroughEvents(ctx, accountId, input, endpointId, keys)
  }
  const from = endpointId === null ? idCursor(input.cursor) : sequenceCursor(input.cursor)
  const walk = { accountId, endpointId, from, upwards: false }
  const { rows, lookedTo } = await walkDeliveries(ctx, walk, input)
  const positionOf = (row: { id: string; sequence: number }) => (endpointId === null ? row.id : row.sequence)
  return toPage(rows, input.limit, positionOf, row => toDelivery(row, ctx.settings), lookedTo)
}

async function searchThroughEvents(
  ctx: Ctx,
  accountId: string,
  input: DeliverySearchQuery,
  endpointId: string | null,
  keys: readonly bigint[] | null,
): Promise<Page<Delivery>> {
  const [eventId, deliveryId] = twoIdsCursor(input.cursor) ?? []
  const from = eventId === undefined || deliveryId === undefined ? null : { eventId, deliveryId }
  const { rows, lookedTo } = await findDeliveriesOfEvents(
    ctx,
    {
      accountId,
      endpointId,
      eventId: input.event_id === undefined ? null : parseTypeId('evt', input.event_id),
      searchKeys: keys,
      from,
    },
    input,
  )
  // the least id after an event means that all deliveries of the event were shown
  const end = lookedTo === null ? null : [lookedTo, leastUuid]
  return toPage(
    rows,
    input.limit,
    row => [row.event_id, row.id],
    row => toDelivery(row, ctx.settings),
    end,
  )
}
