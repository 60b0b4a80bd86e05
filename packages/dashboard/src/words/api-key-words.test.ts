import { expect, test } from 'vitest'
import { apiKeyState } from './api-key-words.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const key = (expires: string | null, revoked: string | null = null): Parameters<typeof apiKeyState>[0] => ({
  expires_at: expires,
  revoked_at: revoked,
})

test('a key without an expiry date is live', () => expect(apiKeyState(key(null), now)).toBe('live'))

test('a key is marked as ending two weeks before its expiry, then as expired', () => {
  expect(apiKeyState(key('2026-12-06T12:00:00Z'), now)).toBe('live')
  expect(apiKeyState(key('2026-12-04T12:00:00Z'), now)).toBe('ending')
  expect(apiKeyState(key('2026-11-21T12:00:00Z'), now)).toBe('expired')
})

test('a revoked key is called revoked, even if it has also expired', () => {
  expect(apiKeyState(key('2026-11-01T00:00:00Z', '2026-10-01T00:00:00Z'), now)).toBe('revoked')
})
