import {
  suppression,
  suppressionCreate,
  suppressionPage,
  suppressionQuery,
} from '../resources/suppression.ts'
import { json, route } from '../route.ts'

const tag = 'Suppressions'

export const suppressionRoutes = {
  listSuppressions: route({
    operationId: 'listSuppressions',
    method: 'GET',
    path: '/v1/suppressions',
    summary: 'List the addresses that are not written to',
    description: 'Newest first. Without `state` only those that hold mail back now.',
    tag,
    auth: 'read',
    query: suppressionQuery,
    success: { status: 200, description: 'A page of suppressions.', schema: suppressionPage },
  }),
  createSuppression: route({
    operationId: 'createSuppression',
    method: 'POST',
    path: '/v1/suppressions',
    summary: 'Stop writing to an address',
    description: 'One that stands already with the reason `manual` and the same scope is answered as it is.',
    tag,
    auth: 'send',
    body: json(suppressionCreate),
    success: { status: 201, description: 'The suppression.', schema: suppression },
  }),
  liftSuppression: route({
    operationId: 'liftSuppression',
    method: 'DELETE',
    path: '/v1/suppressions/{id}',
    summary: 'Write to an address again',
    description:
      'The suppression stays in the list as `lifted`. Others of the same address stand. Lifting one twice changes nothing.',
    tag,
    auth: 'send',
    params: { id: 'sup' },
    success: { status: 204, description: 'Lifted.' },
  }),
} as const
