import type { WebhookHealth } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { endpointNotice } from './notice-words.ts'

const reader = { zone: 'utc', nowMs: Date.parse('2026-11-21T03:17:00Z') } as const

const healthy: WebhookHealth = {
  webhook_id: 'wh_01k',
  state: 'healthy',
  status: 'enabled',
  disabled_reason: null,
  failures_in_row: 0,
  failing_since: null,
  last_error_code: null,
  disables_at: null,
  last_attempt_at: null,
  last_success_at: null,
  last_failure_at: null,
  usual_per_day: null,
  hours: [],
  last_hour: { until: '2026-11-21T03:15:00.000Z', delivered: 0, failed: 0 },
  last_day: { delivered: 0, failed: 0, p50_ms: null, p95_ms: null },
  waiting_count: 0,
  gone: 0,
  gone_since: null,
  drain_seconds: 0,
  oldest_waiting: null,
  last_due_at: null,
  expired: 0,
  certificate_expires_at: null,
  warnings: [],
}

const warning = (code: WebhookHealth['warnings'][number]['code'], message: string) => ({
  code,
  message,
  since: '2026-11-21T02:14:00.000Z',
})

test('an endpoint that needs nobody is not spoken of, and neither is one that somebody disabled', () => {
  expect(endpointNotice(healthy, 'hooks.acme.test', reader)).toBeNull()
  const disabled = {
    ...healthy,
    state: 'disabled',
    status: 'disabled',
    disabled_reason: 'manual',
    waiting_count: 9,
  } as const
  expect(endpointNotice(disabled, 'hooks.acme.test', reader)).toBeNull()
})

test('the notice of a failing endpoint says since when, why and what happens next', () => {
  const notice = endpointNotice(
    {
      ...healthy,
      state: 'failing',
      failing_since: '2026-11-21T02:36:00.000Z',
      last_error_code: 'tls_expired',
      disables_at: '2026-11-26T02:36:00.000Z',
    },
    'billing.acme.test',
    reader,
  )
  expect(notice).toMatchObject({
    tone: 'failed',
    word: 'Failing',
    headline: 'billing.acme.test has been failing for 41 min: certificate expired.',
    detail:
      'If nothing succeeds, we stop trying on 26 Nov 02:36. We retry its events; you can replay those that we give up on.',
  })
})

test('the notice of a degraded endpoint says how much was delivered, and when an attempt last failed', () => {
  const degraded: WebhookHealth = {
    ...healthy,
    state: 'degraded',
    last_failure_at: '2026-11-21T03:10:00.000Z',
    last_hour: { until: '2026-11-21T03:15:00.000Z', delivered: 84, failed: 36 },
  }
  expect(endpointNotice(degraded, 'Billing', reader)).toMatchObject({
    tone: 'failed',
    word: 'Degraded',
    headline: 'Billing: 70% delivered in the hour until 03:15: 84 of 120 attempts.',
    detail: 'Last failure 03:10:00. We retry what failed.',
  })
})

test('the notice of a disabled endpoint shows pending events and further warnings', () => {
  const notice = endpointNotice(
    {
      ...healthy,
      state: 'disabled',
      status: 'disabled',
      disabled_reason: 'failing',
      failing_since: '2026-11-16T02:14:00.000Z',
      waiting_count: 1_204,
      warnings: [
        warning('disabled_failing', 'Every attempt failed for too long.'),
        warning('waiting_expires', 'Deliveries will be deleted.'),
      ],
    },
    'hooks.acme.test',
    reader,
  )
  expect(notice).toMatchObject({
    tone: 'exhausted',
    headline: 'hooks.acme.test is disabled.',
    detail:
      'We stopped sending on 21 Nov 02:14, after 5 days without a success. 1,204 events wait. Deliveries will be deleted.',
    step: 'See why and enable',
  })
})

test('a healthy endpoint with a certificate that expires soon gets a warning', () => {
  const warnings = [
    warning('certificate_expires_soon', 'The certificate of your server expires in less than 14 days.'),
  ]
  expect(endpointNotice({ ...healthy, warnings }, 'api.acme.test', reader)).toMatchObject({
    word: 'Warning',
    headline: 'api.acme.test: The certificate of your server expires in less than 14 days.',
    detail: '',
  })
})

test('what a 410 gave up stays a notice after the endpoint is enabled, until it is replayed', () => {
  const gone = { ...healthy, gone: 42, gone_since: '2026-11-21T02:14:30.000Z' }
  expect(endpointNotice(gone, 'hooks.acme.test', reader)).toMatchObject({
    tone: 'failed',
    headline: 'hooks.acme.test: 42 deliveries were given up when your server answered 410.',
    step: 'Open and replay',
  })
  expect(endpointNotice({ ...gone, gone: 0, gone_since: null }, 'hooks.acme.test', reader)).toBeNull()
})
