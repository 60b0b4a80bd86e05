import { erasure, erasureCreate } from '../resources/erasure.ts'
import { json, route } from '../route.ts'

const tag = 'Erasures'

export const erasureRoutes = {
  createErasure: route({
    operationId: 'createErasure',
    method: 'POST',
    path: '/v1/erasures',
    summary: 'Erase a recipient',
    description:
      'Removes the address of a person from events, deliveries and attempts, in the background. It removes the whole data of each event for the address, including other recipients of the same event. Posthorn cancels the deliveries of these events and never sends them again. The operator must set `account_id`.',
    tag,
    auth: 'operator_or_send',
    role: 'change',
    front: 'account_in_body',
    body: json(erasureCreate),
    success: { status: 202, description: 'The erasure, which is now running.', schema: erasure },
    errors: ['account_mismatch'],
  }),
  getErasure: route({
    operationId: 'getErasure',
    method: 'GET',
    path: '/v1/erasures/{id}',
    summary: 'Get an erasure',
    description:
      'Returns an erasure. When its `state` is `done`, it is your receipt: it shows how much was erased.',
    tag,
    auth: 'operator_or_read',
    role: 'view',
    front: 'code_in_id',
    params: { id: 'era' },
    success: { status: 200, description: 'The erasure.', schema: erasure },
  }),
} as const
