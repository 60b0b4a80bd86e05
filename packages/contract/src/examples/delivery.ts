import { exampleIds } from './example-ids.ts'

/** A delivery that failed once and will be retried, as lists return it. */
export const exampleDelivery = {
  id: exampleIds.dlv,
  event_id: exampleIds.evt,
  webhook_id: exampleIds.wh,
  state: 'failed' as const,
  reason: null,
  sequence: 1042,
  attempt_count: 1,
  retries_left: 12,
  next_attempt_at: '2026-11-21T04:01:12.480Z',
  waiting_for: { reason: 'retry' as const, ahead: null, estimated_at: '2026-11-21T04:01:12.480Z' },
  last_attempt_at: '2026-11-21T04:00:01.350Z',
  last_error_code: 'status_not_2xx' as const,
  last_status_code: 503,
  last_duration_ms: 41,
  created_at: '2026-11-21T04:00:01.120Z',
  delivered_at: null,
  event: { type: 'email.bounced' as const, email_id: exampleIds.em, to: ['ann@example.org'] },
}

/** The attempt that failed. */
export const exampleAttempt = {
  id: exampleIds.att,
  number: 1,
  started_at: '2026-11-21T04:00:01.309Z',
  duration_ms: 41,
  phases: { dns_ms: 4, connect_ms: 11, tls_ms: 18, first_byte_ms: 8 },
  outcome: 'failed' as const,
  status_code: 503,
  error: {
    code: 'status_not_2xx' as const,
    message: 'Your server answered 503. Check the log of your server.',
  },
  request_headers: {
    'content-type': 'application/json',
    'x-service-event-id': exampleIds.evt,
    'x-service-attempt': '1',
  },
  response_headers: { 'content-type': 'text/plain' },
  response_body: 'Service Unavailable',
  verified_by: null,
  trigger: 'schedule' as const,
}
