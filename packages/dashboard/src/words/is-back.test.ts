import type { WebhookHealth } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { isBack } from './is-back.ts'

const back = {
  state: 'healthy',
  failures_in_row: 0,
  waiting_count: 3,
  last_due_at: '2026-11-21T08:20:00Z',
  last_success_at: '2026-11-21T03:10:00Z',
  last_failure_at: '2026-11-21T03:09:30Z',
  hours: [{ at: '2026-11-21T02:00:00Z', delivered: 1, failed: 9 }],
} as unknown as WebhookHealth

test('an endpoint is back if it works after an outage and failed deliveries wait', () => {
  expect(isBack(back)).toBe(true)
  expect(isBack({ ...back, waiting_count: 0 })).toBe(false)
  expect(isBack({ ...back, hours: [] })).toBe(false)
  expect(isBack({ ...back, failures_in_row: 1 })).toBe(false)
})

test('an endpoint that still fails some attempts is not back', () => {
  expect(isBack({ ...back, state: 'degraded' })).toBe(false)
  expect(isBack({ ...back, state: 'degraded', last_failure_at: '2026-11-21T03:09:00Z' })).toBe(true)
})
