import type { ApiKey } from '@posthorn/contract'
import { expect, test } from 'vitest'
import { isLastManager, keysCreatedBy, mayRevoke } from './own-keys.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

function key(id: string, more: Partial<ApiKey> = {}): ApiKey {
  return {
    id,
    name: id,
    scopes: ['read', 'send', 'keys'],
    prefix: 'phk_abcdef',
    created_at: '2026-11-20T00:00:00.000Z',
    created_by: { kind: 'operator', api_key_id: null, portal_session_id: null },
    expires_at: null,
    last_used_at: null,
    revoked_at: null,
    ...more,
  }
}
const by = (id: string): Partial<ApiKey> => ({
  created_by: { kind: 'api_key', api_key_id: id, portal_session_id: null },
})

test('a key with a scope that the reader does not have cannot be revoked', () => {
  expect(mayRevoke(key('a'), ['read', 'send', 'keys', 'ingest'])).toBe(true)
  expect(mayRevoke(key('a', { scopes: ['ingest'] }), ['read', 'send', 'keys'])).toBe(false)
})

test('of the keys that a key created, only those that work are named', () => {
  const revoked = { revoked_at: '2026-11-21T00:00:00.000Z' }
  const all = [key('a'), key('b', by('a')), key('c', { ...by('a'), ...revoked }), key('d', by('b'))]
  expect(keysCreatedBy(key('a'), all, now).map(({ id }) => id)).toEqual(['b'])
})

test('the last key that manages keys is known, even if other keys work', () => {
  const reader = key('r', { scopes: ['read', 'keys'] })
  const expired = key('e', { expires_at: '2026-11-21T11:00:00.000Z' })
  expect(isLastManager(key('a'), [key('a'), reader, expired], now)).toBe(true)
  expect(isLastManager(reader, [key('a'), reader], now)).toBe(false)
  expect(isLastManager(key('a'), [key('a'), key('b')], now)).toBe(false)
})
