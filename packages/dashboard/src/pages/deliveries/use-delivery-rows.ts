import type { Delivery } from '@posthorn/contract'
import { type Rows, useRows } from '../../api/use-rows.ts'
import type { DeliveryFilters } from '../../app/delivery-filters.ts'

/** Deliveries that match these filters, newest first and live. */
export function useDeliveryRows(filters: DeliveryFilters, recipient: string | null): Rows<Delivery> {
  const { state, type, error, email, endpoint, since, until } = filters
  const query = {
    state,
    type,
    error_code: error,
    email_id: email,
    webhook_id: endpoint,
    since,
    until,
    recipient: recipient ?? undefined,
  }
  return useRows({
    key: ['deliveries', 'list', query],
    load: async (call, page, signal) =>
      await call('searchDeliveries', { query: { ...query, ...page }, signal }),
    idOf,
  })
}

function idOf({ id }: Delivery): string {
  return id
}
