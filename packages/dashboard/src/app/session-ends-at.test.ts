import { expect, test } from 'vitest'
import { sessionEndsAt } from './session-ends-at.ts'

const at = (clock: string): number => Date.parse(`2026-11-21T${clock}:00Z`)
const session = (idle: string, limit: string): { expires_at: string; idle_expires_at: string } => ({
  expires_at: `2026-11-21T${limit}:00Z`,
  idle_expires_at: `2026-11-21T${idle}:00Z`,
})

test('an unused session ends at its idle limit', () => {
  const use = { readAtMs: at('08:00'), usedAtMs: at('08:00') }
  expect(sessionEndsAt(session('09:00', '20:00'), use)).toEqual({ atMs: at('09:00'), isIdle: true })
})

test('each answer from the service extends the idle limit', () => {
  const use = { readAtMs: at('08:00'), usedAtMs: at('08:45') }
  expect(sessionEndsAt(session('09:00', '20:00'), use)).toEqual({ atMs: at('09:45'), isIdle: true })
})

test('a session never lasts beyond its absolute limit', () => {
  const use = { readAtMs: at('08:00'), usedAtMs: at('19:30') }
  expect(sessionEndsAt(session('09:00', '20:00'), use)).toEqual({ atMs: at('20:00'), isIdle: false })
})

test('a clock that was set back does not end the session earlier', () => {
  const use = { readAtMs: at('08:00'), usedAtMs: at('07:00') }
  expect(sessionEndsAt(session('09:00', '20:00'), use).atMs).toBe(at('09:00'))
})
