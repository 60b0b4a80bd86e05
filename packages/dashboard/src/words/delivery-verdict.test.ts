import type { Attempt, Delivery } from '@posthorn/contract'
import {
  attemptErrorCodes,
  attemptErrorTexts,
  attemptMessage,
  deliveryStates,
  exhaustedReasons,
} from '@posthorn/contract/plain'
import { expect, test } from 'vitest'
import { attemptResult, triedAgainWords } from './attempt-words.ts'
import { deliveryVerdict, type VerdictInput } from './delivery-verdict.ts'
import { sentenceText } from './sentence.ts'

const nowMs = Date.parse('2026-11-21T03:18:00Z')

test('an expired certificate shows the cause, the attempts, the next attempt and what to do', () => {
  const verdict = words({
    state: 'failed',
    attempt_count: 7,
    retries_left: 6,
    last_attempt_at: '2026-11-21T03:04:40.118Z',
    next_attempt_at: '2026-11-21T03:18:40Z',
    waiting_for: { reason: 'retry', ahead: 0, estimated_at: '2026-11-21T03:18:40Z' },
    attempts: [failure(7, 'tls_expired', attemptMessage('tls_expired', { date: '2026-11-21' }))],
  })
  expect(verdict).toEqual([
    'The certificate expired on 2026-11-21.',
    'Sent 7 times, the last time 03:04:40.',
    'Next attempt 03:18:40, at most 6 more.',
    'Renew it. The next retry then succeeds.',
  ])
})

test('a late delivery says how late it was and after how many attempts', () => {
  const verdict = words({
    state: 'delivered',
    attempt_count: 4,
    created_at: '2026-11-21T02:11:00Z',
    delivered_at: '2026-11-21T03:18:00Z',
    attempts: [failure(1, 'connect_refused', 'no'), success(4)],
  })
  expect(verdict).toEqual([
    'Your server answered 200 in 84 ms.',
    'Sent 4 times, delivered 03:18:00.',
    'Created 02:11:00, delivered 03:18:00: 1 h 7 min late, 4 attempts.',
  ])
})

test('an immediate delivery is not called late', () => {
  const at = '2026-11-21T03:00:00.084Z'
  expect(words({ state: 'delivered', attempt_count: 1, delivered_at: at, attempts: [success(1)] })).toEqual([
    'Your server answered 200 in 84 ms.',
    'Sent once, delivered 03:00:00.',
  ])
})

test('if a delivered event is sent again and fails, the verdict says so last', () => {
  const last = failure(2, 'status_not_2xx', 'Your server answered 500. Check the log of your server.', 500)
  expect(words({ state: 'delivered', attempt_count: 2, attempts: [last, success(1)] }).at(-1)).toBe(
    'Sent again 03:04:40. That failed: Your server answered 500.',
  )
})

test('what waits for a disabled endpoint says so instead of promising a next try', () => {
  const endpoint = { disabled_reason: 'gone' } as const
  const waiting_for = { reason: 'disabled', ahead: null, estimated_at: null } as const
  expect(words({ state: 'pending', waiting_for }, endpoint)).toEqual([
    'It waits for the endpoint, which is disabled because it answered 410.',
    'Nothing is lost.',
  ])
  expect(words({ state: 'failed', attempt_count: 1, waiting_for }, endpoint).join(' ')).not.toContain(
    'Next attempt',
  )
})

test('what waits to be sent says first what it waits for, and then how many go first and until when', () => {
  const at = '2026-11-21T03:38:00Z'
  const first = (waiting_for: Delivery['waiting_for']): string[] => words({ state: 'pending', waiting_for })
  expect(first({ reason: 'rate_limit', ahead: 1_203, estimated_at: at })).toEqual([
    'It waits for the rate limit of the endpoint.',
    '1,203 deliveries go first.',
    'We expect to send it 03:38:00.',
  ])
  expect(first({ reason: 'drain', ahead: 10_000, estimated_at: null })).toEqual([
    'It waits because the endpoint was enabled again and gets its backlog slowly.',
    'At least 10,000 deliveries go first.',
  ])
  expect(first({ reason: 'backlog', ahead: 1, estimated_at: '2026-11-21T03:17:59Z' })).toEqual([
    'It waits behind 1 other delivery of the endpoint.',
    'It should go out any moment.',
  ])
  expect(first({ reason: 'backlog', ahead: null, estimated_at: null })).toEqual([
    'It waits behind other deliveries of the endpoint.',
  ])
  expect(first({ reason: 'capacity', ahead: 0, estimated_at: null })).toEqual([
    'It is the next one, and waits until we have capacity.',
  ])
  expect(first(null)).toEqual(['It is being sent.'])
})

test('a failed delivery shows its error first, and then what its next attempt waits for', () => {
  expect(
    words({
      state: 'failed',
      attempt_count: 1,
      waiting_for: { reason: 'rate_limit', ahead: 1, estimated_at: null },
      attempts: [
        failure(1, 'status_not_2xx', 'Your server answered 500. Check the log of your server.', 500),
      ],
    }),
  ).toEqual([
    'Your server answered 500.',
    'Sent once.',
    'It waits for the rate limit of the endpoint.',
    '1 delivery goes first.',
    'Check the log of your server.',
  ])
})

test('an exhausted delivery shows its error first, then its number of attempts', () => {
  const attempts = [failure(13, 'response_timeout', attemptMessage('response_timeout', { limit: '15' }))]
  const given = { state: 'exhausted', reason: 'retries_used', attempt_count: 13, attempts } as const
  expect(words({ ...given, last_attempt_at: '2026-11-21T02:40:19Z' })).toEqual([
    'Your server did not answer within 15 s.',
    'All 13 attempts failed, the last 02:40:19. We gave up.',
    'Store the event, answer 200, and process it afterwards.',
  ])
})

test('every state, reason and error code has whole sentences, with and without attempts', () => {
  for (const state of deliveryStates) {
    for (const reason of [null, ...exhaustedReasons]) {
      for (const code of attemptErrorCodes) {
        for (const attempts of [undefined, [failure(1, code, attemptErrorTexts[code].label)]]) {
          for (const attempt_count of [0, 1, 13]) {
            const said = words({
              state,
              reason,
              last_error_code: code,
              attempt_count,
              ...(attempts !== undefined && { attempts }),
            })
            expect(said[0], `${state} ${reason} ${code}`).toMatch(/^[A-Z].*[^.]$|^[A-Z].*\w\)?\.$/)
            expect(said.join(' ')).not.toMatch(/undefined|null|\{|\}|NaN| {2}/)
          }
        }
      }
    }
  }
})

test('the result of a retry is shown as Tried again or Failed again', () => {
  expect(triedAgainWords(success(2))).toBe('Tried again: 200 in 84 ms.')
  const failed = failure(3, 'response_timeout', attemptMessage('response_timeout', { limit: '15' }))
  expect(triedAgainWords(failed)).toBe('Failed again: Your server did not answer within 15 s.')
  expect(attemptResult(failed)).toBe('No response in time')
  expect(attemptResult(success(1))).toBe('200 from your server')
})

/** The verdict's sentences for a reader in UTC. */
function words(given: Partial<Delivery>, endpoint: VerdictInput['endpoint'] = enabled): string[] {
  const { headline, facts, advice } = deliveryVerdict({
    delivery: { ...delivery, ...given },
    endpoint,
    retentionDays: 30,
    nowMs,
  })
  const said = [headline, ...facts.map(fact => sentenceText(fact, 'utc', nowMs)), advice]
  return said.filter(sentence => sentence !== '')
}

const enabled = { disabled_reason: null } as const

const delivery: Delivery = {
  id: 'dlv_01kb3vqzxxe1x9v5x7c4d2q7m2',
  event_id: 'evt_01kb3vqzxxe1x9v5x7c4d2q7m2',
  webhook_id: 'wh_01kb3vqzxxe1x9v5x7c4d2q7m2',
  state: 'pending',
  reason: null,
  sequence: 1_089,
  attempt_count: 0,
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

function attempt(number: number): Attempt {
  return {
    id: 'att_01kb3vqzxxe1x9v5x7c4d2q7m2',
    number,
    started_at: '2026-11-21T03:04:40.118Z',
    duration_ms: 84,
    phases: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null },
    outcome: 'delivered',
    status_code: null,
    error: null,
    request_headers: null,
    response_headers: null,
    response_body: null,
    verified_by: null,
    trigger: 'schedule',
  }
}

function success(number: number): Attempt {
  return { ...attempt(number), status_code: 200 }
}

function failure(
  number: number,
  code: (typeof attemptErrorCodes)[number],
  message: string,
  status: number | null = null,
): Attempt {
  return { ...attempt(number), outcome: 'failed', status_code: status, error: { code, message } }
}
