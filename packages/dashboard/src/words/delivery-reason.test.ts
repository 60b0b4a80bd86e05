import type { Delivery } from '@posthorn/contract'
import { attemptErrorCodes, deliveryStates, exhaustedReasons } from '@posthorn/contract/plain'
import { expect, test } from 'vitest'
import { deliveryReason, triesWords } from './delivery-reason.ts'

test('the reason names the status if the receiver answered, otherwise the error', () => {
  expect(deliveryReason({ ...sent, state: 'delivered', last_status_code: 200, last_duration_ms: 84 })).toBe(
    '200 in 84 ms',
  )
  expect(deliveryReason({ ...sent, last_error_code: 'status_not_2xx', last_status_code: 500 })).toBe(
    '500 from your server',
  )
  expect(deliveryReason({ ...sent, last_error_code: 'tls_expired' })).toBe('Certificate expired')
  expect(deliveryReason({ ...sent, state: 'exhausted', reason: 'endpoint_gone' })).toBe('410 (gone)')
})

test('if a delivered event is sent again and fails, the failure is shown', () => {
  const again = {
    ...sent,
    state: 'delivered',
    last_error_code: 'status_not_2xx',
    last_status_code: 503,
  } as const
  expect(deliveryReason(again)).toBe('503 from your server')
})

test('attempts are counted out of the possible maximum', () => {
  expect(triesWords({ ...sent, attempt_count: 7, retries_left: 6 })).toBe('7 of 13')
  expect(triesWords({ ...sent, state: 'delivered', attempt_count: 1, retries_left: 12 })).toBe('1 of 13')
  expect(triesWords({ ...sent, state: 'pending', attempt_count: 0, retries_left: 12 })).toBe('0 of 13')
  expect(triesWords({ ...sent, state: 'exhausted', attempt_count: 13, retries_left: 0 })).toBe('13 of 13')
})

test('every combination of state, reason and error code has a text', () => {
  for (const state of deliveryStates)
    for (const reason of [null, ...exhaustedReasons])
      for (const last_error_code of [null, ...attemptErrorCodes])
        for (const attempt_count of [0, 1])
          expect(deliveryReason({ ...sent, state, reason, last_error_code, attempt_count })).toMatch(/^\w/)
})

const sent: Delivery = {
  id: 'dlv_01kb3vqzxxe1x9v5x7c4d2q7m2',
  event_id: 'evt_01kb3vqzxxe1x9v5x7c4d2q7m2',
  webhook_id: 'wh_01kb3vqzxxe1x9v5x7c4d2q7m2',
  state: 'failed',
  reason: null,
  sequence: 1_089,
  attempt_count: 1,
  retries_left: 12,
  next_attempt_at: null,
  waiting_for: null,
  last_attempt_at: null,
  last_error_code: null,
  last_status_code: null,
  last_duration_ms: null,
  created_at: '2026-11-21T03:00:00Z',
  delivered_at: null,
  event: { type: 'email.bounced', email_id: 'em_1', to: ['ann@example.org'] },
}
