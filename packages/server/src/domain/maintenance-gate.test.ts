import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClockFacts, clockFault, unwatchedMsMax } from './maintenance-gate.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const startMs = Date.parse('2026-11-21T04:00:00Z')

const right: ClockFacts = {
  nowMs: startMs,
  seenMs: startMs,
  jumpedToMs: null,
  skewMs: 0,
  elapsedMs: 0,
  unwatchedMsMax: 3 * dayMs,
}

test.each<[string, Partial<ClockFacts>, ReturnType<typeof clockFault>]>([
  ['a clock that runs', { nowMs: startMs + hourMs, elapsedMs: hourMs }, null],
  ['a weekend without a process', { nowMs: startMs + 2.7 * dayMs, elapsedMs: null }, null],
  ['weeks without a process', { nowMs: startMs + 40 * dayMs, elapsedMs: null }, 'clock_jumped'],
  ['a jump while it is watched', { nowMs: startMs + 2 * hourMs, elapsedMs: hourMs }, 'clock_jumped'],
  ['a step of half a minute', { nowMs: startMs + 30_000, elapsedMs: 0 }, null],
  ['a step back', { nowMs: startMs - hourMs, elapsedMs: 0 }, 'clock_behind'],
  ['a small step back', { nowMs: startMs - 30_000, elapsedMs: 0 }, null],
  ['a process whose clock is ahead', { skewMs: 40 * dayMs }, 'clocks_differ'],
  ['a process whose clock is behind', { skewMs: -61_000 }, 'clocks_differ'],
  [
    'another process that found a jump, for one that has just started',
    { nowMs: startMs + dayMs, jumpedToMs: startMs + dayMs, elapsedMs: null },
    'clock_jumped',
  ],
  [
    'the same, once the clock is set back',
    { nowMs: startMs + hourMs, jumpedToMs: startMs + dayMs, elapsedMs: null },
    null,
  ],
  ['the same, for the one that has watched', { jumpedToMs: startMs + dayMs, elapsedMs: 0 }, null],
])('the clock fault of %s', (_, facts, fault) => {
  expect(clockFault({ ...right, ...facts })).toBe(fault)
})

test('a stop may last three days, or a quarter of the retention if that is shorter', () => {
  expect(unwatchedMsMax(30)).toBe(3 * dayMs)
  expect(unwatchedMsMax(1)).toBe(6 * hourMs)
})

/** One process watches while the clock is set and the process restarts. The watermark must stay close to the true time. */
test('after any clock changes, a time far from the true one is never trusted', () => {
  const step = fc.record({
    passMs: fc.integer({ min: 0, max: 10 * dayMs }),
    // sometimes the clock is right, sometimes it is set
    offMs: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      fc.integer({ min: -dayMs, max: dayMs }),
      fc.integer({ min: -1_000 * dayMs, max: 1_000 * dayMs }),
    ),
    restart: fc.boolean(),
  })
  let trusted = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      let trueMs = startMs
      let state = { seenMs: startMs, jumpedToMs: null as number | null }
      let trustedTrueMs: number | null = startMs
      let leftMs = 0
      for (const { passMs, offMs, restart } of steps) {
        trueMs += passMs
        // a new process cannot know how long the service was really stopped
        if (restart) {
          trustedTrueMs = null
          leftMs += right.unwatchedMsMax
        }
        const nowMs = trueMs + offMs
        const elapsedMs = trustedTrueMs === null ? null : trueMs - trustedTrueMs
        const fault = clockFault({ ...right, ...state, nowMs, elapsedMs })
        if (fault === 'clock_jumped') state = { ...state, jumpedToMs: state.jumpedToMs ?? nowMs }
        if (fault !== null) continue
        trusted++
        expect(nowMs - trueMs).toBeLessThanOrEqual(leftMs + steps.length * minuteMs)
        trustedTrueMs = trueMs
        state = { seenMs: Math.max(state.seenMs, nowMs), jumpedToMs: null }
      }
    }),
    { numRuns: 1_000 },
  )
  expect(trusted).toBeGreaterThan(100)
})
