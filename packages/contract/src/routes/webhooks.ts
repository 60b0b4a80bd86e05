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
    description: 'The full signing secret is in this answer and never again.',
    tag,
    auth: 'send',
    body: json(webhookCreate),
    success: { status: 201, description: 'The endpoint, with `secret`.', schema: webhookCreated },
    errors: ['url_not_allowed', 'endpoint_limit_reached'],
  }),
  listWebhooks: route({
    operationId: 'listWebhooks',
    method: 'GET',
    path: '/v1/webhooks',
    summary: 'List webhook endpoints',
    tag,
    auth: 'read',
    query: pageQuery,
    success: { status: 200, description: 'A page of endpoints.', schema: webhookPage },
  }),
  getWebhook: route({
    operationId: 'getWebhook',
    method: 'GET',
    path: '/v1/webhooks/{id}',
    summary: 'Get a webhook endpoint',
    tag,
    auth: 'read',
    params,
    success: { status: 200, description: 'The endpoint.', schema: webhook },
  }),
  getWebhookHealth: route({
    operationId: 'getWebhookHealth',
    method: 'GET',
    path: '/v1/webhooks/{id}/health',
    summary: 'Tell how an endpoint fares',
    description: 'Its failures, when they will disable it, how much waits for it, and warnings.',
    tag,
    auth: 'read',
    params,
    success: { status: 200, description: 'The health of the endpoint.', schema: webhookHealth },
  }),
  listWebhookHealth: route({
    operationId: 'listWebhookHealth',
    method: 'GET',
    path: '/v1/webhook-health',
    summary: 'Tell how all endpoints fare',
    description: 'One entry for each endpoint, in the order of `GET /v1/webhooks`.',
    tag,
    auth: 'read',
    query: pageQuery,
    success: { status: 200, description: 'A page of the health of endpoints.', schema: webhookHealthPage },
  }),
  updateWebhook: route({
    operationId: 'updateWebhook',
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    summary: 'Change a webhook endpoint',
    description: 'Changes only what is named. Once it has answered, no attempt starts under the old state.',
    tag,
    auth: 'send',
    params,
    body: json(webhookUpdate),
    success: { status: 200, description: 'The endpoint.', schema: webhook },
    errors: ['url_not_allowed'],
  }),
  deleteWebhook: route({
    operationId: 'deleteWebhook',
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    summary: 'Delete a webhook endpoint',
    description: 'Once it has answered, nothing undelivered is sent any more.',
    tag,
    auth: 'send',
    params,
    success: { status: 204, description: 'Deleted.' },
  }),
} as const
