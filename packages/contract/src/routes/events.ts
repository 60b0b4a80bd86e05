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
    summary: 'Report what became of emails',
    description:
      'One object, an array of up to 1,000, or as many lines of NDJSON. One invalid object refuses the whole report. The operator names the `account_id` in each object. With a `type` the reporter has decided; without one it is raw, and Posthorn decides from what the mail server said.',
    tag,
    auth: 'operator_or_ingest',
    body: {
      schema: outcomeReport,
      lineSchema: reportedOutcome,
      mediaTypes: ['application/json', 'application/x-ndjson'],
      bytesMax: 10 * 1024 * 1024,
    },
    success: {
      status: 202,
      description: 'Stored; deliveries follow.',
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
    tag,
    auth: 'read',
    query: eventQuery,
    success: { status: 200, description: 'A page of events.', schema: eventPage },
  }),
  getEvent: route({
    operationId: 'getEvent',
    method: 'GET',
    path: '/v1/events/{id}',
    summary: 'Get an event with its deliveries',
    tag,
    auth: 'read',
    params: { id: 'evt' },
    success: { status: 200, description: 'The event.', schema: event },
  }),
  listEventTypes: route({
    operationId: 'listEventTypes',
    method: 'GET',
    path: '/v1/event-types',
    summary: 'List the event types with schemas and samples',
    tag,
    auth: 'read',
    query: pageQuery,
    success: { status: 200, description: 'The catalogue.', schema: eventTypeInfoPage },
  }),
} as const
