import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/**
 * What a page sends beside the cookie, to show that it could read an answer of ours. It follows from the session's
 * token, so it need not be stored; the other way round it tells nothing.
 */
export function csrfToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url')
}

/** Whether `given` is that token, in a time that does not depend on how much of it is right. */
export function isCsrfToken(sessionToken: string, given: string): boolean {
  const digests = [csrfToken(sessionToken), given].map(text => hash('sha256', text, 'buffer'))
  return timingSafeEqual(digests[0] ?? nothing, digests[1] ?? nothing)
}

const nothing = new Uint8Array(32)
