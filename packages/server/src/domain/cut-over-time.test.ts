import { expect, test } from 'vitest'
import { msUntilCutOver } from './cut-over-time.ts'

test.each([
  ['2026-03-01T12:00:00Z', 0],
  ['2026-03-01T23:49:59Z', 0],
  ['2026-03-01T23:50:00Z', 25 * 60_000],
  ['2026-03-02T00:00:00Z', 15 * 60_000],
  ['2026-03-02T00:15:00Z', 0],
])('at %s an account can be handed over in %i ms', (at, ms) => {
  expect(msUntilCutOver(Date.parse(at))).toBe(ms)
})
