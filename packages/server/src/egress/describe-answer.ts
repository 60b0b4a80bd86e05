import { statusAdvice } from '@posthorn/contract/plain'
import type { AttemptError } from '../domain/attempt-error.ts'
import { attemptError, errorCode } from './attempt-failure.ts'
import { BrokenAnswer, type Flaw } from './broken-answer.ts'
import { connectTimeout, hungUp } from './describe-connect-error.ts'
import { describeTlsError } from './describe-tls-error.ts'
import type { Handshake } from './handshake.ts'
import type { Origin } from './origin.ts'

/** Explains why an answer with complete headers is a failure. */
export function describeStatus(status: number, location: string | null, url: string): AttemptError {
  if (redirects.has(status) || (status < 400 && status !== 304 && location !== null)) {
    return attemptError('redirect_refused', { location: locationHost(location, url) })
  }
  return attemptError('status_not_2xx', { status: String(status), advice: statusAdvice(status) })
}

/** These are redirects even without a `Location` (RFC 9110 §15.4). */
const redirects = new Set([301, 302, 303, 307, 308])

/** Returns only the host, because the path and query may contain secrets. */
function locationHost(location: string | null, url: string): string {
  if (location === null) return 'an address that it did not name'
  return URL.canParse(location, url)
    ? new URL(location, url).host.slice(0, 255)
    : 'an address that cannot be read'
}

/** Explains why the headers were not complete after the request was written. */
export function describeBrokenAnswer(error: unknown, origin: Origin): AttemptError {
  const code = errorCode(error)
  // a TLS 1.3 server may refuse the handshake after the client has finished it
  if (code.startsWith('ERR_SSL_')) return describeTlsError(error, origin)
  if (error instanceof BrokenAnswer) return describeFlaw(error.flaw, origin.port)
  if (resets.has(code)) return hungUp()
  return attemptError('unknown', { reason: code === '' ? 'the cause is not known' : code })
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
  headers: 'Its headers cannot be read, or give its length in two ways.',
  'line ends': 'Its lines end with a line feed alone; HTTP requires a carriage return before it.',
  'too early': 'Your server sent an answer before it received the request.',
  http2: 'Your server speaks HTTP/2 only, but Posthorn sends HTTP/1.1. Turn on HTTP/1.1.',
  upgrade: 'Your server asked for another protocol.',
}

/** Explains in which stage the time limit of an attempt passed. */
export function describeDeadline(
  stage: Handshake['stage'] | 'send' | 'answer',
  host: string,
  interimAnswers: number,
  unsentBytes: number,
  timeoutMs: number,
): AttemptError {
  const limit = String(timeoutMs / 1000)
  switch (stage) {
    case 'dns':
      return attemptError('dns_failed', { host }, `DNS did not answer within ${limit} s.`)
    case 'connect':
    case 'tls':
      return connectTimeout(stage, host, timeoutMs)
    case 'send':
      return unsentBytes > 0
        ? attemptError('request_timeout', { limit }, 'It did not read the whole request.')
        : attemptError('response_timeout', { limit }, 'It had received the whole request.')
    case 'answer': {
      const interimOnly = 'It sent only interim answers (1xx).'
      const noEnd = 'It began to answer but did not finish the headers.'
      return attemptError('request_timeout', { limit }, interimAnswers > 0 ? interimOnly : noEnd)
    }
  }
}
