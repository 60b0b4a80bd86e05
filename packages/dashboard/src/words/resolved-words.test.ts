import type { WebhookHealth } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { mayBeResolved, resolvedWords } from './resolved-words.ts'

const nowMs = Date.parse('2026-11-21T10:00:00Z')
const works = {
  state: 'healthy',
  failures_in_row: 0,
  waiting_count: 0,
  last_due_at: null,
  last_failure_at: '2026-11-19T10:00:00Z',
  last_success_at: '2026-11-21T09:00:00Z',
  hours: [],
} as unknown as WebhookHealth

test('an endpoint may be resolved if it failed within a week and works again', () => {
  expect(mayBeResolved(works, nowMs)).toBe(true)
  expect(mayBeResolved({ ...works, state: 'failing' }, nowMs)).toBe(false)
  expect(mayBeResolved({ ...works, last_failure_at: '2026-11-10T10:00:00Z' }, nowMs)).toBe(false)
  expect(mayBeResolved({ ...works, last_failure_at: null }, nowMs)).toBe(false)
})

test('says since when it works and how long it failed', () => {
  const sinceMs = Date.parse('2026-11-19T10:00:00Z')
  const outage = { sinceMs, untilMs: sinceMs + 9_000_000, lastBadMs: sinceMs, givenUp: 2 }
  expect(resolvedWords(outage)).toEqual([
    'has worked again since ',
    { at: '2026-11-19T12:30:00.000Z' },
    ', after failing for 3 h. 2 deliveries were given up.',
  ])
  expect(resolvedWords({ ...outage, untilMs: null })).toBeNull()
  expect(resolvedWords(null)).toBeNull()
})
