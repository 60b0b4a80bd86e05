import { pageQuery } from '../page.ts'
import { webhook, webhookCreate, webhookCreated, webhookPage, webhookUpdate } from '../resources/webhook.ts'
import { webhookHealth, webhookHealthPage } from '../resources/webhook-health.ts'
import { json, route } from '../route.ts'

const tag = 'Webhook endpoints'
const params = { id: 'wh' } as const

export const webhookRoutes = {
  createWebhook: route({
    operationId: 'createWebhook',
    method: 'POST',
    path: '/v1/webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'Registers a URL that receives signed events. Posthorn sends the events that are created from now on. Save `secret` now: your receiver needs it to verify signatures, and Posthorn shows it only in this response.',
    tag,
    auth: 'send',
    front: 'caller',
    body: json(webhookCreate),
    success: { status: 201, description: 'The new endpoint, with `secret`.', schema: webhookCreated },
    errors: ['url_not_allowed', 'endpoint_limit_reached'],
  }),
  listWebhooks: route({
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhook endpoints',
    description: 'Returns the endpoints of your account, newest first, without secrets and header values.',
    tag,
    auth: 'read',
    front: 'caller',
    query: pageQuery,
    success: { status: 200, description: 'One page of endpoints.', schema: webhookPage },
  }),
  getWebhook: route({
    operationId: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    summary: 'Get a webhook endpoint',
    description:
      'Returns one endpoint. Use `GET /v1/webhooks/{id}/health` to see whether its deliveries succeed.',
    tag,
    auth: 'read',
    front: 'caller',
    params,
    success: { status: 200, description: 'The endpoint.', schema: webhook },
  }),
  getWebhookHealth: route({
    operationId: 'getWebhookHealth',
    method: 'GET',
    path: '/v1/webhooks/{id}/health',
    summary: 'Get the health of an endpoint',
    description:
      'Returns the recent failures of an endpoint, the time when Posthorn will disable it, the number of waiting deliveries, and warnings.',
    tag,
    auth: 'read',
    front: 'caller',
    params,
    success: { status: 200, description: 'The health of the endpoint.', schema: webhookHealth },
  }),
  listWebhookHealth: route({
    operationId: 'listWebhookHealth',
    method: 'GET',
    path: '/v1/webhook-health',
    summary: 'List the health of all endpoints',
    description: 'Returns the health of every endpoint of your account, in the order of `GET /v1/webhooks`.',
    tag,
    auth: 'read',
    front: 'caller',
    query: pageQuery,
    success: { status: 200, description: 'One page of endpoint health.', schema: webhookHealthPage },
  }),
  updateWebhook: route({
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    summary: 'Update a webhook endpoint',
    description:
      'Changes only the fields that you send. Set `enabled` to `false` to disable the endpoint: its deliveries wait until you enable it again. After this request returns, no attempt starts with the old settings.',
    tag,
    auth: 'send',
    front: 'caller',
    params,
    body: json(webhookUpdate),
    success: { status: 200, description: 'The updated endpoint.', schema: webhook },
    errors: ['url_not_allowed'],
  }),
  deleteWebhook: route({
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    summary: 'Delete a webhook endpoint',
    description:
      'Deletes an endpoint and its secrets. After this request returns, Posthorn starts no more attempts, not even for waiting deliveries. You cannot undo this.',
    tag,
    auth: 'send',
    front: 'caller',
    params,
    success: { status: 204, description: 'The endpoint is deleted.' },
  }),
} as const
