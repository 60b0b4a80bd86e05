import type { WebhookHealth } from '@posthorn/contract'
import { expect, test } from 'vitest'
import {
  backWords,
  degradedWords,
  disabledWords,
  failingWords,
  healthyWords,
  quietWords,
} from './health-words.ts'

const reader = { zone: 'utc', nowMs: Date.parse('2026-11-21T03:17:20Z') } as const

function health(facts: Partial<WebhookHealth>): WebhookHealth {
  const none = {
    failing_since: null,
    last_error_code: null,
    disables_at: null,
    usual_per_day: null,
    waiting_count: 0,
    gone: 0,
  }
  return { ...none, disabled_reason: null, last_attempt_at: null, ...facts } as unknown as WebhookHealth
}

test('a failing endpoint shows how long it has failed, why and when we stop', () => {
  const facts = health({
    failing_since: '2026-11-21T02:36:20Z',
    last_error_code: 'tls_expired',
    disables_at: '2026-11-26T02:36:20Z',
  })
  expect(failingWords(facts, 'billing.acme.test', reader)).toEqual({
    headline: 'billing.acme.test has been failing for 41 min: certificate expired.',
    detail:
      'If nothing succeeds, we stop trying on 26 Nov 02:36. We retry its events; you can replay those that we give up on.',
  })
  expect(failingWords(facts, 'billing.acme.test', reader, '500 from your server').headline).toBe(
    'billing.acme.test has been failing for 41 min: 500 from your server.',
  )
})

test('a degraded endpoint shows its rate with the number of attempts, and the last failure', () => {
  const facts = health({
    last_hour: { until: '2026-11-21T03:15:00.000Z', delivered: 84, failed: 36 },
    last_failure_at: '2026-11-21T03:10:00Z',
  })
  expect(degradedWords(facts, reader, '500 from your server')).toEqual({
    headline: '70% delivered in the hour until 03:15: 84 of 120 attempts.',
    detail: 'Last failure 03:10:00: 500 from your server. We retry what failed.',
  })
})

test('a healthy endpoint shows failures that are too few to count', () => {
  const facts = health({ last_success_at: '2026-11-21T03:10:00Z', failures_in_row: 0 })
  expect(healthyWords(facts, reader)).toEqual({ headline: 'Last success 03:10:00.', detail: null })
  const failing = { ...facts, failures_in_row: 2, last_error_code: 'response_timeout' } as const
  expect(healthyWords(failing, reader)).toEqual({
    headline: 'The last 2 attempts failed: no response in time.',
    detail: 'Last success 03:10:00. We retry what failed.',
  })
})

test('a recovered endpoint shows its pending and exhausted deliveries', () => {
  const back = {
    since: '2026-11-21T03:10:00Z',
    waiting: 1204,
    lastDueAt: '2026-11-21T08:20:00Z',
    givenUp: 64,
  }
  expect(backWords(back, 'crm.acme.test', reader)).toEqual({
    headline: 'crm.acme.test has been back since 03:10:00.',
    detail: '1,204 deliveries wait for a later attempt, the last one until 21 Nov 08:20; 64 were given up.',
  })
  expect(backWords({ ...back, since: null, waiting: 1, lastDueAt: null, givenUp: 0 }, 'crm', reader)).toEqual(
    {
      headline: 'crm is back.',
      detail: '1 delivery waits for a later attempt.',
    },
  )
})

test('a disabled endpoint shows who disabled it, when and why', () => {
  const nobody = { at: null, by: null }
  const failing = health({
    disabled_reason: 'failing',
    failing_since: '2026-11-16T02:11:00Z',
    waiting_count: 1204,
  })
  expect(disabledWords(failing, { at: '2026-11-21T02:14:00Z', by: null }, reader)).toEqual({
    headline: 'We stopped sending on 21 Nov 02:14, after 5 days without a success.',
    detail: '1,204 events wait.',
  })
  expect(
    disabledWords(health({ disabled_reason: 'gone', gone: 42, waiting_count: 1 }), nobody, reader),
  ).toEqual({
    headline: 'Your server answered 410 (gone), so we stopped at once.',
    detail: '42 deliveries were given up. Replay them after you enable the endpoint. 1 event waits.',
  })
  const byHand = disabledWords(
    health({ disabled_reason: 'manual' }),
    { at: '2026-11-20T10:00:00Z', by: 'key “ci”' },
    reader,
  )
  expect(byHand).toEqual({ headline: 'Disabled by key “ci” on 20 Nov 10:00.', detail: 'No event waits.' })
  expect(disabledWords(health({ disabled_reason: 'manual' }), nobody, reader).headline).toBe('Disabled.')
})

test('a quiet endpoint shows how long it has been quiet and what it usually gets', () => {
  const facts = health({ last_attempt_at: '2026-11-18T03:00:00Z', usual_per_day: 400.4 })
  expect(quietWords(facts, reader).headline).toBe('No event for 3 days; usually 400 a day.')
})
