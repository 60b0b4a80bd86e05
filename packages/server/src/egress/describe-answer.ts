import { statusAdvice } from '@posthorn/contract/plain'
import type { AttemptError } from '../domain/attempt-error.ts'
import { attemptError, errorCode } from './attempt-failure.ts'
import { BrokenAnswer, type Flaw } from './broken-answer.ts'
import { hungUp } from './describe-connect-error.ts'
import { describeTlsError } from './describe-tls-error.ts'
import type { Origin } from './origin.ts'

/** Says why an answer with complete headers is no success. */
export function describeStatus(status: number, location: string | null, url: string): AttemptError {
  if (redirects.has(status) || (status < 400 && status !== 304 && location !== null)) {
    return attemptError('redirect_refused', { location: locationHost(location, url) })
  }
  return attemptError('status_not_2xx', { status: String(status), advice: statusAdvice(status) })
}

/** They mean another place even if they do not name it (RFC 9110 §15.4). */
const redirects = new Set([301, 302, 303, 307, 308])

/** Only the host: the rest of a location may hold what is nobody else's business. */
function locationHost(location: string | null, url: string): string {
  if (location === null) return 'a place that it did not name'
  return URL.canParse(location, url)
    ? new URL(location, url).host.slice(0, 255)
    : 'a place that cannot be read'
}

/** Says why no complete headers came, after the request was written. */
export function describeBrokenAnswer(error: unknown, { host, port }: Origin): AttemptError {
  const code = errorCode(error)
  // from TLS 1.3 on a server may refuse the handshake after it looked finished
  if (code.startsWith('ERR_SSL_')) return describeTlsError(error, host)
  if (error instanceof BrokenAnswer) return describeFlaw(error.flaw, port)
  if (resets.has(code)) return hungUp()
  return attemptError('unknown', { reason: code === '' ? 'we have no name for why' : code })
}

function describeFlaw(flaw: Flaw, port: number): AttemptError {
  if (flaw === 'closed') return hungUp()
  return flaw === 'too large' ? attemptError('headers_too_large', {}) : malformed(port, causes[flaw])
}

export function malformed(port: number, cause?: string): AttemptError {
  return attemptError('response_malformed', { port: String(port) }, cause)
}

const resets = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'EHOSTUNREACH'])

const causes: Readonly<Partial<Record<Flaw, string>>> = {
  headers: 'Its headers cannot be read, or tell its length in two ways.',
  'line ends': 'Its lines end with a line feed alone; HTTP wants a carriage return before it.',
  'too early': 'Your server sent an answer before it was asked.',
  http2: 'Your server speaks HTTP/2 only, and Posthorn sends HTTP/1.1: turn HTTP/1.1 on.',
  upgrade: 'Your server wants another protocol instead.',
}
