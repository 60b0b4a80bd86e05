import { expect, test } from 'vitest'
import { portalLinkState } from './portal-link-words.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const link = (
  more: Partial<Parameters<typeof portalLinkState>[0]>,
): Parameters<typeof portalLinkState>[0] => ({
  exchanged_at: null,
  expires_at: '2026-11-21T13:00:00Z',
  revoked_at: null,
  ...more,
})

test('a portal link is unused, then open, then ended after its expiry', () => {
  expect(portalLinkState(link({}), now)).toBe('unused')
  expect(portalLinkState(link({ exchanged_at: '2026-11-21T11:30:00Z' }), now)).toBe('open')
  expect(portalLinkState(link({ expires_at: '2026-11-21T12:00:00Z' }), now)).toBe('ended')
})

test('a revoked link is called revoked, even if it has also expired', () => {
  const revoked = link({ revoked_at: '2026-11-21T11:00:00Z', expires_at: '2026-11-20T00:00:00Z' })
  expect(portalLinkState(revoked, now)).toBe('revoked')
})
