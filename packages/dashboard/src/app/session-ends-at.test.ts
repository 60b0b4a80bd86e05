import { expect, test } from 'vitest'
import { sessionEndsAt } from './session-ends-at.ts'

const at = (clock: string): number => Date.parse(`2026-11-21T${clock}:00Z`)
const session = (idle: string, limit: string): { expires_at: string; idle_expires_at: string } => ({
  expires_at: `2026-11-21T${limit}:00Z`,
  idle_expires_at: `2026-11-21T${idle}:00Z`,
})

test('a session that nobody uses ends for lack of use', () => {
  const use = { readAtMs: at('08:00'), usedAtMs: at('08:00') }
  expect(sessionEndsAt(session('09:00', '20:00'), use)).toEqual({ atMs: at('09:00'), isIdle: true })
})

test('each answer of the service puts that end off', () => {
  const use = { readAtMs: at('08:00'), usedAtMs: at('08:45') }
  expect(sessionEndsAt(session('09:00', '20:00'), use)).toEqual({ atMs: at('09:45'), isIdle: true })
})

test('but never beyond the limit', () => {
  const use = { readAtMs: at('08:00'), usedAtMs: at('19:30') }
  expect(sessionEndsAt(session('09:00', '20:00'), use)).toEqual({ atMs: at('20:00'), isIdle: false })
})

test('a clock that was set back puts nothing forward', () => {
  const use = { readAtMs: at('08:00'), usedAtMs: at('07:00') }
  expect(sessionEndsAt(session('09:00', '20:00'), use).atMs).toBe(at('09:00'))
})
