import { erasure, erasureCreate } from '../resources/erasure.ts'
import { json, route } from '../route.ts'

const tag = 'Erasures'

export const erasureRoutes = {
  createErasure: route({
    operationId: 'createErasure',
    method: 'POST',
    path: '/v1/erasures',
    summary: "Remove a person's address from events, deliveries and attempts",
    description:
      'Events to the address lose their data, other recipients of the same event included; what was not delivered is given up and nothing of it is ever sent again. The operator names the `account_id`.',
    tag,
    auth: 'operator_or_send',
    body: json(erasureCreate),
    success: { status: 202, description: 'The erasure, running.', schema: erasure },
    errors: ['account_mismatch'],
  }),
  getErasure: route({
    operationId: 'getErasure',
    method: 'GET',
    path: '/v1/erasures/{id}',
    summary: 'Get an erasure, which is its receipt',
    tag,
    auth: 'operator_or_read',
    params: { id: 'era' },
    success: { status: 200, description: 'The erasure.', schema: erasure },
  }),
} as const
