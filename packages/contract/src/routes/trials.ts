import { endpointCheck } from '../resources/endpoint-check.ts'
import { testEvent, testEventCreate } from '../resources/test-event.ts'
import { urlCheck, urlCheckCreate } from '../resources/url-check.ts'
import { json, route } from '../route.ts'

const tag = 'Webhook endpoints'
const params = { id: 'wh' } as const

/** Operations that test an endpoint or a URL. */
export const trialRoutes = {
  sendTestEvent: route({
    operationId: 'sendTestEvent',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    summary: 'Send a test event to an endpoint',
    description:
      'Creates a sample event and delivers it to this endpoint only, even if the endpoint does not subscribe to the type. Its `email_id` starts with `em_test`. Posthorn delivers and retries it like any other event, but before the backlog of the endpoint. Test events count towards the rate limit of the endpoint, so many of them delay its other events.',
    tag,
    auth: 'send',
    front: 'caller',
    params,
    body: json(testEventCreate),
    success: { status: 202, description: 'The event and its delivery.', schema: testEvent },
    errors: ['endpoint_disabled'],
  }),
  checkWebhook: route({
    operationId: 'checkWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/check',
    summary: 'Check an endpoint',
    description:
      'Sends two `email.delivered` events for probe@posthorn.invalid to the endpoint: one with a wrong signature, then one with the right signature. The response says whether your receiver accepts only the second one. Posthorn stores nothing and retries nothing. You can run up to 10 checks per minute.',
    tag,
    auth: 'send',
    front: 'caller',
    params,
    success: { status: 200, description: 'The result of the check.', schema: endpointCheck },
    errors: ['rate_limited'],
  }),
  checkUrl: route({
    operationId: 'checkUrl',
    method: 'POST',
    path: '/v1/url-checks',
    summary: 'Check a URL before you create an endpoint',
    description:
      'Sends one HEAD request to a URL, with the rules that apply to deliveries, and reports DNS, connection, TLS and status. Posthorn stores nothing and does not follow redirects. The limit of 10 checks per minute includes checks of endpoints.',
    tag,
    auth: 'send',
    front: 'caller',
    body: json(urlCheckCreate),
    success: { status: 200, description: 'The result of the check.', schema: urlCheck },
    errors: ['url_not_allowed', 'rate_limited'],
  }),
} as const
