import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/**
 * The token that a page sends with the cookie, to prove that it can read our answers. It is derived from the session
 * token, so it is not stored, and it reveals nothing about the session token.
 */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url')
}

/** Whether `given` is the CSRF token, in constant time. */
export function isCsrfToken(sessionToken: string, given: string): boolean {
  const digests = [csrfToken(sessionToken), given].map(text => hash('sha256', text, 'buffer'))
  return timingSafeEqual(digests[0] ?? nothing, digests[1] ?? nothing)
}

const nothing = new Uint8Array(32)
