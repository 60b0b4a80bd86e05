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
      'Newest first, or upwards with `after_sequence`. A page can hold fewer than `limit`, or none, although more follow: go on while there is a `next_cursor`.',
    tag,
    auth: 'read',
    params: { id: 'wh' },
    query: deliveryQuery,
    success: { status: 200, description: 'A page of deliveries.', schema: deliveryPage },
  }),
  searchDeliveries: route({
    operationId: 'searchDeliveries',
    method: 'GET',
    path: '/v1/deliveries',
    summary: 'List the deliveries of all endpoints',
    description:
      'Newest first. A page can hold fewer than `limit`, or none, although more follow: go on while there is a `next_cursor`.',
    tag,
    auth: 'read',
    query: deliverySearchQuery,
    success: { status: 200, description: 'A page of deliveries.', schema: deliveryPage },
  }),
  getDelivery: route({
    operationId: 'getDelivery',
    method: 'GET',
    path: '/v1/deliveries/{id}',
    summary: 'Get a delivery with its attempts',
    tag,
    auth: 'read',
    params: { id: 'dlv' },
    success: { status: 200, description: 'The delivery.', schema: delivery },
  }),
  retryDelivery: route({
    operationId: 'retryDelivery',
    method: 'POST',
    path: '/v1/deliveries/{id}/retry',
    summary: 'Try a delivery once more, now',
    tag,
    auth: 'send',
    params: { id: 'dlv' },
    success: { status: 202, description: 'The delivery, pending.', schema: delivery },
    errors: ['delivery_pending', 'endpoint_disabled', 'endpoint_deleted', 'delivery_erased', 'event_expired'],
  }),
} as const
