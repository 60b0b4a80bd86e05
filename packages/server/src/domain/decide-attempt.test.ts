import { expect, test } from 'vitest'
import { type AttemptResult, decideAttempt, giveUpLost } from './decide-attempt.ts'

const policy = { baseSeconds: 100, capSeconds: 1_000 }
const first = { attemptCount: 0, retriesUsed: 0, trigger: 'schedule', wasDelivered: false } as const
const failure: AttemptResult = {
  outcome: 'failure',
  statusCode: 500,
  errorCode: 'status_not_2xx',
  retryAfter: null,
}
const success: AttemptResult = { outcome: 'success', statusCode: 200, errorCode: null, retryAfter: null }
const decide = (past: Parameters<typeof decideAttempt>[0], result: AttemptResult) =>
  decideAttempt(past, result, policy, 0.5, 0)

test('an acknowledged delivery is delivered and not due again', () => {
  expect(decide(first, success)).toMatchObject({ state: 'delivered', reason: null, dueInMs: null })
})

test('the first failure schedules retry 1 and uses none', () => {
  expect(decide(first, failure)).toMatchObject({ state: 'failed', retriesUsed: 0, dueInMs: 50_000 })
})

test('each scheduled attempt after the first uses one retry, with any outcome', () => {
  const third = { ...first, attemptCount: 2, retriesUsed: 1 }
  expect(decide(third, failure)).toMatchObject({ retriesUsed: 2, dueInMs: 200_000 })
  expect(decide(third, success)).toMatchObject({ retriesUsed: 2 })
})

test('when the twelfth retry fails, the delivery is exhausted', () => {
  const last = { ...first, attemptCount: 12, retriesUsed: 11 }
  expect(decide(last, failure)).toMatchObject({ state: 'exhausted', reason: 'retries_used', retriesUsed: 12 })
})

test('a manual attempt uses no retry: remaining retries continue, and with none left the delivery is exhausted', () => {
  const manual = { ...first, trigger: 'manual', attemptCount: 4, retriesUsed: 3 } as const
  expect(decide(manual, failure)).toMatchObject({ state: 'failed', retriesUsed: 3, nextTrigger: 'schedule' })
  expect(decide({ ...manual, retriesUsed: 12 }, failure)).toMatchObject({ reason: 'retries_used' })
})

test('a delivered delivery stays delivered when its manual attempt fails', () => {
  const again = { ...first, trigger: 'manual', attemptCount: 1, wasDelivered: true } as const
  expect(decide(again, failure)).toMatchObject({ state: 'delivered', reason: null, dueInMs: null })
})

test('410 exhausts the delivery, but is an ordinary failure if the endpoint has changed', () => {
  const gone = { ...failure, statusCode: 410 }
  expect(decide(first, gone)).toMatchObject({
    state: 'exhausted',
    reason: 'endpoint_gone',
    ifEndpointChanged: decide(first, failure),
  })
  const last = { ...first, attemptCount: 12, retriesUsed: 11 }
  expect(decide(last, gone).ifEndpointChanged).toEqual(decide(last, failure))
})

test('an attempt aborted by a shutdown is due again at once with the same trigger', () => {
  const aborted = { ...failure, statusCode: null, errorCode: 'aborted_by_shutdown' }
  const manual = { ...first, trigger: 'manual', attemptCount: 3, retriesUsed: 2 } as const
  expect(decide(manual, aborted)).toMatchObject({ dueInMs: 0, retriesUsed: 2, nextTrigger: 'manual' })
})

test('a poison delivery is exhausted with the reason process_lost', () => {
  expect(giveUpLost(first)).toMatchObject({ state: 'exhausted', reason: 'process_lost' })
})
