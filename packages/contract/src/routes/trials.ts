import { endpointCheck } from '../resources/endpoint-check.ts'
import { testEvent, testEventCreate } from '../resources/test-event.ts'
import { urlCheck, urlCheckCreate } from '../resources/url-check.ts'
import { json, route } from '../route.ts'

const tag = 'Webhook endpoints'
const params = { id: 'wh' } as const

/** Ways to try out an endpoint before it matters, or before there is one. */
export const trialRoutes = {
  sendTestEvent: route({
    operationId: 'sendTestEvent',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    summary: 'Send a sample event to an endpoint',
    description:
      'An ordinary event and delivery with a sequence number, for this endpoint alone, whatever types it subscribes to. Its `email_id` begins with `em_test`.',
    tag,
    auth: 'send',
    params,
    body: json(testEventCreate),
    success: { status: 202, description: 'Stored; the delivery follows.', schema: testEvent },
    errors: ['endpoint_disabled'],
  }),
  checkWebhook: route({
    operationId: 'checkWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/check',
    summary: 'Check whether an endpoint can be reached and verifies signatures',
    description:
      'Posts an `email.delivered` to probe@posthorn.invalid, first signed with a random secret, then rightly. No delivery is made, nothing is retried and no number used. At most 10 a minute for each account.',
    tag,
    auth: 'send',
    params,
    success: { status: 200, description: 'What was found.', schema: endpointCheck },
    errors: ['rate_limited'],
  }),
  checkUrl: route({
    operationId: 'checkUrl',
    method: 'POST',
    path: '/v1/url-checks',
    summary: 'Check whether a URL can be reached, before it is an endpoint',
    description:
      'One HEAD request, through the same guard as deliveries. Nothing is stored and no redirect followed. At most 10 a minute for each account, checks of endpoints included.',
    tag,
    auth: 'send',
    body: json(urlCheckCreate),
    success: { status: 200, description: 'What was found.', schema: urlCheck },
    errors: ['url_not_allowed', 'rate_limited'],
  }),
} as const
