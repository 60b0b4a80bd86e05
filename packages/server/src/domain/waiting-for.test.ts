import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WaitingFacts, waitingFor } from './waiting-for.ts'

const nowMs = 1_000_000
const due: WaitingFacts = {
  nowMs,
  dueAtMs: nowMs - 60_000,
  isHeld: false,
  isEnabled: true,
  isDraining: false,
  rateLimitPerSecond: null,
  bucketTokens: 0,
  bucketAtMs: 0,
  isBehind: false,
  ahead: { queued: 0, held: 0 },
  attemptsPerSecond: null,
}
const behind: WaitingFacts = { ...due, isBehind: true, ahead: { queued: 40, held: 2 } }
const aheadMax = 10_000
const limits = { drainPerSecond: 50, aheadMax }

describe('one fact decides the reason:', () => {
  test.each<[string, Partial<WaitingFacts>, string | undefined]>([
    ['a process holds it', { isHeld: true }, undefined],
    ['the endpoint is disabled', { isEnabled: false, rateLimitPerSecond: 1 }, 'disabled'],
    ['it is due later', { dueAtMs: nowMs + 1, rateLimitPerSecond: 1, bucketAtMs: nowMs }, 'retry'],
    ['the endpoint drains its backlog', { isDraining: true, bucketAtMs: nowMs }, 'drain'],
    ['its rate limit is used up', { rateLimitPerSecond: 1, bucketAtMs: nowMs }, 'rate_limit'],
    ['others go first', { isBehind: true }, 'backlog'],
    ['nothing goes first', {}, 'capacity'],
  ])('%s', (_, facts, reason) => {
    expect(waitingFor({ ...due, ...facts }, limits)?.reason).toBe(reason)
  })
})

test('of the rate limit and the drain rate, the lower one is named and counts', () => {
  const both = { ...behind, isDraining: true, bucketAtMs: nowMs }
  expect(waitingFor({ ...both, rateLimitPerSecond: 10 }, limits)).toEqual({
    reason: 'rate_limit',
    ahead: 42,
    estimatedAtMs: nowMs + 4_100,
  })
  expect(waitingFor({ ...both, rateLimitPerSecond: 100 }, limits)).toEqual({
    reason: 'drain',
    ahead: 42,
    estimatedAtMs: nowMs + 820,
  })
})

test('a limit whose tokens are left unused is not the reason', () => {
  const limited = { ...behind, rateLimitPerSecond: 1 }
  expect(waitingFor({ ...limited, bucketTokens: 0.5, bucketAtMs: nowMs - 500 }, limits)?.reason).toBe(
    'rate_limit',
  )
  expect(waitingFor({ ...limited, bucketTokens: 0.5, bucketAtMs: nowMs - 2_000 }, limits)?.reason).toBe(
    'backlog',
  )
  expect(waitingFor({ ...limited, bucketTokens: 1, bucketAtMs: nowMs }, limits)?.reason).toBe('backlog')
})

test('behind a backlog, the estimate is the recent pace, and unknown without one', () => {
  expect(waitingFor(behind, limits)).toEqual({ reason: 'backlog', ahead: 42, estimatedAtMs: null })
  expect(waitingFor({ ...behind, attemptsPerSecond: 2 }, limits)?.estimatedAtMs).toBe(nowMs + 21_000)
})

test('a longer queue than is counted has no estimate', () => {
  const long = { ...behind, ahead: { queued: aheadMax, held: 9 }, rateLimitPerSecond: 1, bucketAtMs: nowMs }
  expect(waitingFor(long, limits)).toEqual({ reason: 'rate_limit', ahead: aheadMax, estimatedAtMs: null })
})

test('whatever the facts, the estimate is never in the past, and a retry never before it is due', () => {
  const ms = fc.integer({ min: nowMs - 1e6, max: nowMs + 1e6 })
  const facts = fc.record({
    nowMs: fc.constant(nowMs),
    dueAtMs: ms,
    isHeld: fc.boolean(),
    isEnabled: fc.boolean(),
    isDraining: fc.boolean(),
    rateLimitPerSecond: fc.option(fc.integer({ min: 1, max: 1_000 })),
    bucketTokens: fc.double({ min: 0, max: 1_000, noNaN: true }),
    bucketAtMs: ms,
    isBehind: fc.boolean(),
    ahead: fc.option(fc.record({ queued: fc.nat(aheadMax), held: fc.nat(100) })),
    attemptsPerSecond: fc.option(fc.double({ min: 0, max: 1_000, noNaN: true })),
  })
  fc.assert(
    fc.property(facts, fc.double({ min: 0.01, max: 1_000, noNaN: true }), (one, perSecond) => {
      const waiting = waitingFor(one, { drainPerSecond: perSecond, aheadMax })
      if (waiting === null) return one.isHeld
      const { reason, estimatedAtMs } = waiting
      if (reason === 'retry') return one.dueAtMs > nowMs && (estimatedAtMs ?? 0) >= one.dueAtMs
      return estimatedAtMs === null || estimatedAtMs >= nowMs
    }),
  )
})
