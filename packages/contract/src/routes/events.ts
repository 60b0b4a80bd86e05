import { outcomeReport, outcomesAccepted, reportedOutcome } from '../decided-outcome.ts'
import { pageQuery } from '../page.ts'
import { event, eventPage, eventQuery } from '../resources/event.ts'
import { eventTypeInfoPage } from '../resources/event-type-info.ts'
import { route } from '../route.ts'

const tag = 'Events'

export const eventRoutes = {
  reportOutcomes: route({
    operationId: 'reportOutcomes',
    method: 'POST',
    path: '/v1/outcomes',
    summary: 'Report outcomes',
    description:
      'Reports what happened to emails that another system sent. Send one outcome, an array of up to 1,000, or NDJSON with one outcome per line. An outcome with a `type` becomes an event of that type. A raw outcome has no `type`: Posthorn derives it from the reply of the mail server. If one outcome is invalid, Posthorn stores none. Set `outcome_id` so that you can repeat a report safely. The operator must set `account_id` in each outcome.',
    tag,
    auth: 'operator_or_ingest',
    role: 'change',
    front: 'report',
    body: {
      schema: outcomeReport,
      lineSchema: reportedOutcome,
      mediaTypes: ['application/json', 'application/x-ndjson'],
      bytesMax: 10 * 1024 * 1024,
    },
    success: {
      status: 202,
      description: 'The outcomes are stored, and Posthorn delivers the events now.',
      schema: outcomesAccepted,
      reportedOutcome,
    },
    errors: ['account_mismatch', 'batch_too_large', 'event_too_large', 'overloaded'],
  }),
  listEvents: route({
    operationId: 'listEvents',
    method: 'GET',
    path: '/v1/events',
    summary: 'List events',
    description:
      'Returns the events of your account, newest first. Filter by type, reason, email, recipient or time.',
    tag,
    auth: 'read',
    front: 'caller',
    query: eventQuery,
    success: { status: 200, description: 'One page of events.', schema: eventPage },
  }),
  getEvent: route({
    operationId: 'getEvent',
    method: 'GET',
    path: '/v1/events/{id}',
    summary: 'Get an event',
    description: 'Returns an event with its delivery to each endpoint.',
    tag,
    auth: 'read',
    front: 'caller',
    params: { id: 'evt' },
    success: { status: 200, description: 'The event with its deliveries.', schema: event },
  }),
  listEventTypes: route({
    operationId: 'listEventTypes',
    method: 'GET',
    path: '/v1/event-types',
    summary: 'List event types',
    description:
      'Returns each event type with its meaning, the JSON Schema of its body and a sample. Use the samples to test your receiver.',
    tag,
    auth: 'read',
    front: 'caller',
    query: pageQuery,
    success: { status: 200, description: 'One page of event types.', schema: eventTypeInfoPage },
  }),
} as const
