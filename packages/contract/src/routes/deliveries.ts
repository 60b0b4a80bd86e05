import { delivery, deliveryPage, deliveryQuery, deliverySearchQuery } from '../resources/delivery.ts'
import { route } from '../route.ts'

const tag = 'Deliveries'

export const deliveryRoutes = {
  listDeliveries: route({
    operationId: 'listDeliveries',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    summary: 'List the deliveries of an endpoint',
    description:
      'Returns the deliveries of one endpoint, newest first. With `after_sequence`, the list is in ascending order, so you can fetch events that your receiver missed. A page can be short or empty even if more follow: continue until `next_cursor` is null.',
    tag,
    auth: 'read',
    front: 'caller',
    params: { id: 'wh' },
    query: deliveryQuery,
    success: { status: 200, description: 'One page of deliveries.', schema: deliveryPage },
  }),
  searchDeliveries: route({
    operationId: 'searchDeliveries',
    method: 'GET',
    path: '/v1/deliveries',
    summary: 'Search deliveries',
    description:
      'Returns the deliveries of all endpoints, newest first. Filter by state, error, endpoint, event, email, recipient or time. A page can be short or empty even if more follow: continue until `next_cursor` is null.',
    tag,
    auth: 'read',
    front: 'caller',
    query: deliverySearchQuery,
    success: { status: 200, description: 'One page of deliveries.', schema: deliveryPage },
  }),
  getDelivery: route({
    operationId: 'getDelivery',
    method: 'GET',
    path: '/v1/deliveries/{id}',
    summary: 'Get a delivery',
    description:
      'Returns a delivery with all its attempts. Each attempt has the request headers, the response, the duration of each phase, and the error.',
    tag,
    auth: 'read',
    front: 'caller',
    params: { id: 'dlv' },
    success: { status: 200, description: 'The delivery with its attempts.', schema: delivery },
  }),
  retryDelivery: route({
    operationId: 'retryDelivery',
    method: 'POST',
    path: '/v1/deliveries/{id}/retry',
    summary: 'Retry a delivery',
    description:
      'Sends a delivery again now. The delivery can be failed, exhausted or delivered. The event id and sequence number stay the same, so your receiver can ignore a duplicate.',
    tag,
    auth: 'send',
    front: 'caller',
    params: { id: 'dlv' },
    success: { status: 202, description: 'The delivery, which is now pending.', schema: delivery },
    errors: ['delivery_pending', 'endpoint_disabled', 'endpoint_deleted', 'delivery_erased', 'event_expired'],
  }),
} as const
