import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { degradedMinutes, isDegraded, type Minutes } from './degraded.ts'

/** The attempts of one minute. */
interface Minute {
  delivered: number
  failed: number
}

const idle: Minute = { delivered: 0, failed: 0 }
const times = (count: number, minute: Minute): Minute[] => Array.from({ length: count }, () => minute)

/** The window that the service reads after the last of these minutes. */
function window(minutes: readonly Minute[]): Minutes {
  const all = [...times(Math.max(0, degradedMinutes - minutes.length), idle), ...minutes]
  const read = all.slice(-degradedMinutes)
  return { delivered: read.map(({ delivered }) => delivered), failed: read.map(({ failed }) => failed) }
}

/** The state after each of the minutes. */
const states = (minutes: readonly Minute[]): boolean[] =>
  minutes.map((_, last) => isDegraded(window(minutes.slice(0, last + 1))))

function changes(all: readonly boolean[]): number[] {
  return all.flatMap((state, at) => (at > 0 && state !== all[at - 1] ? [at] : []))
}

/** Traffic in phases: idle, good, bad, and in between. */
const phase = fc.record({
  minutes: fc.integer({ min: 1, max: 90 }),
  delivered: fc.constantFrom(0, 1, 10, 30, 1_000),
  failed: fc.constantFrom(0, 0, 0, 1, 10),
})
const history = fc
  .array(phase, { minLength: 1, maxLength: 15 })
  .map(phases => phases.flatMap(({ minutes, delivered, failed }) => times(minutes, { delivered, failed })))
const some = { numRuns: 100 }

describe('an endpoint is degraded', () => {
  test('when less than 95% of at least 20 attempts within an hour succeed', () => {
    expect(isDegraded(window([{ delivered: 18, failed: 2 }]))).toBe(true)
    expect(isDegraded(window([{ delivered: 19, failed: 1 }]))).toBe(false)
    expect(isDegraded(window([{ delivered: 0, failed: 19 }]))).toBe(false)
    expect(
      isDegraded(window([...times(59, { delivered: 1, failed: 0 }), { delivered: 0, failed: 20 }])),
    ).toBe(true)
  })

  test('for an hour after the last failure, however many attempts succeed', () => {
    const outage = times(5, { delivered: 0, failed: 10 })
    expect(isDegraded(window([...outage, ...times(59, { delivered: 1_000, failed: 0 })]))).toBe(true)
    expect(isDegraded(window([...outage, ...times(60, { delivered: 1_000, failed: 0 })]))).toBe(false)
    expect(isDegraded(window([...outage, ...times(60, idle)]))).toBe(false)
  })

  test('until 98% succeed, if failures continue', () => {
    const bad = times(60, { delivered: 90, failed: 10 })
    expect(isDegraded(window([...bad, ...times(180, { delivered: 97, failed: 3 })]))).toBe(true)
    expect(isDegraded(window([...bad, ...times(180, { delivered: 98, failed: 2 })]))).toBe(false)
    expect(isDegraded(window(times(180, { delivered: 97, failed: 3 })))).toBe(false)
  })
})

test('a failure does not count more because earlier successes are no longer read', () => {
  const sent = [
    { delivered: 1_000, failed: 0 },
    { delivered: 0, failed: 20 },
    ...times(degradedMinutes - 1, { delivered: 97, failed: 3 }),
  ]
  expect(isDegraded(window(sent))).toBe(false)
})

test('while nothing is sent, an endpoint never gets worse, and gets better at most once', () => {
  fc.assert(
    fc.property(history, sent => {
      const later = states([...sent, ...times(70, idle)]).slice(sent.length - 1)
      expect(changes(later).length).toBeLessThanOrEqual(later[0] === true ? 1 : 0)
    }),
    some,
  )
})

test('successes never make an endpoint degraded', () => {
  fc.assert(
    fc.property(history, fc.array(fc.nat(30), { maxLength: 70 }), (sent, successes) => {
      const good = successes.map(delivered => ({ delivered, failed: 0 }))
      const later = states([...sent, ...good]).slice(sent.length - 1)
      if (later[0] !== true) expect(later).not.toContain(true)
    }),
    some,
  )
})

test('whatever is sent, an endpoint stays degraded for at least an hour', () => {
  fc.assert(
    fc.property(history, sent => {
      const all = states(sent)
      const ups = changes(all).filter(at => all[at] === true)
      for (const down of changes(all).filter(at => all[at] === false)) {
        const up = ups.findLast(at => at < down) ?? Number.NEGATIVE_INFINITY
        expect(down - up).toBeGreaterThanOrEqual(60)
      }
    }),
    some,
  )
})

test.each([
  { share: 0.5, perMinute: 1 },
  { share: 0.7, perMinute: 1 },
  { share: 0.9, perMinute: 10 },
  { share: 0.99, perMinute: 10 },
  { share: 1, perMinute: 10 },
])('with $perMinute attempts per minute, of which $share succeed, the state never changes', options => {
  const { share, perMinute } = options
  const chance = fc.noBias(fc.nat(9_999)).map(number => number / 10_000)
  const minuteOf = fc.array(chance, { minLength: perMinute, maxLength: perMinute }).map(chances => {
    const delivered = chances.filter(one => one < share).length
    return { delivered, failed: perMinute - delivered }
  })
  fc.assert(
    fc.property(fc.noBias(fc.array(minuteOf, { minLength: 600, maxLength: 600 })), sent => {
      // the first minutes have too few attempts, and what begins in them lasts for an hour
      expect(changes(states(sent).slice(180))).toEqual([])
    }),
    { numRuns: 10, endOnFailure: true },
  )
})
