import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retriesMax, retryDelayMs } from './backoff.ts'
import {
  type EndpointTimings,
  type OperatorTimings,
  timingsInForce,
  timingsProblem,
} from './endpoint-timings.ts'
import { waitMsMax } from './wait-ms-max.ts'

const operator: OperatorTimings = {
  retry: { baseSeconds: 120, capSeconds: 86_400 },
  retryBaseMinSeconds: 1,
  attemptTimeoutMs: 15_000,
  attemptTimeoutMaxMs: 30_000,
}
const none: EndpointTimings = {
  retry_base_seconds: null,
  retry_cap_seconds: null,
  attempt_timeout_seconds: null,
}

test('an endpoint without timings has the operator’s', () => {
  expect(timingsInForce(none, operator)).toEqual({ retry: operator.retry, attemptTimeoutMs: 15_000 })
})

test('an endpoint’s timings replace the operator’s one by one', () => {
  expect(timingsInForce({ ...none, retry_base_seconds: 5 }, operator).retry).toEqual({
    baseSeconds: 5,
    capSeconds: 86_400,
  })
  expect(timingsInForce({ ...none, retry_cap_seconds: 60 }, operator).retry).toEqual({
    baseSeconds: 120,
    capSeconds: 60,
  })
  expect(timingsInForce({ ...none, attempt_timeout_seconds: 29.5 }, operator).attemptTimeoutMs).toBe(29_500)
})

test.each([
  ['retry_base_seconds', 0.5, 'must be from 1 to 86400 seconds, or null for the default'],
  ['retry_cap_seconds', 86_401, 'must be from 1 to 86400 seconds, or null for the default'],
  ['attempt_timeout_seconds', 31, 'must be from 1 to 30 seconds, or null for the default'],
] as const)('%s: %d is refused, and the reason names the bounds', (field, seconds, message) => {
  expect(timingsProblem({ [field]: seconds }, operator)).toEqual({ field, message })
  expect(timingsProblem({ [field]: null }, operator)).toBeNull()
})

test('whatever is stored, no delay or timeout exceeds what the operator allows now', () => {
  const stored = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }))
  const seconds = fc.double({ min: 0.01, max: 1e6, noNaN: true })
  fc.assert(
    fc.property(
      fc.record({ retry_base_seconds: stored, retry_cap_seconds: stored, attempt_timeout_seconds: stored }),
      fc.record({ baseSeconds: seconds, capSeconds: seconds }),
      fc.integer({ min: 1, max: retriesMax }),
      (own, retry, nth) => {
        const inForce = timingsInForce(own, { ...operator, retry })
        expect(retryDelayMs(inForce.retry, nth, 0.999_999)).toBeLessThanOrEqual(waitMsMax(retry) + 1)
        expect(inForce.attemptTimeoutMs).toBeLessThanOrEqual(operator.attemptTimeoutMaxMs)
      },
    ),
  )
})
