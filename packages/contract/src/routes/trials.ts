import { testEvent, testEventCreate } from '../resources/test-event.ts'
import { json, route } from '../route.ts'

const tag = 'Webhook endpoints'
const params = { id: 'wh' } as const

/** Ways to try out an endpoint before it matters. */
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
} as const
