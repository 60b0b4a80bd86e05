import { errors } from 'undici'
import type { AttemptError } from '../domain/attempt-error.ts'
import { errorCode } from './attempt-failure.ts'
import { describeTlsError } from './describe-tls-error.ts'

/** Says why an answer with complete headers is no success. */
export function describeStatus(status: number, location: string | null, url: string): AttemptError {
  if (status < 400) {
    const to = locationHost(location, url)
    return {
      code: 'redirect_refused',
      message: `The endpoint answered ${status} and pointed to ${to}. Redirects are not followed: save the final URL instead.`,
    }
  }
  const hint = hints.get(status) ?? (status >= 500 ? 'The receiver failed: look into its log.' : '')
  return {
    code: 'status_not_2xx',
    message: `The endpoint answered ${status}; only 2xx counts as received. ${hint}`.trimEnd(),
  }
}

const hints: ReadonlyMap<number, string> = new Map([
  [400, 'The receiver could not use the request, or refused its signature.'],
  [401, 'The receiver refused the signature or wants a credential.'],
  [403, 'The receiver, or a firewall before it, refuses the request.'],
  [404, 'Check the path of the URL.'],
  [405, 'The path takes no POST.'],
  [408, 'The receiver was too slow to read the request.'],
  [410, 'The receiver wants no more events here.'],
  [413, 'The receiver takes no bodies of this size.'],
  [429, 'The receiver asks for fewer requests: set a rate limit for the endpoint.'],
])

/** Only the host: the rest of a location may hold what is nobody else's business. */
function locationHost(location: string | null, url: string): string {
  if (location === null) return 'no other place'
  return URL.canParse(location, url)
    ? new URL(location, url).host.slice(0, 255)
    : 'a place that cannot be read'
}

/** Says why no complete headers came, after the request was written. */
export function describeBrokenAnswer(error: unknown, host: string): AttemptError {
  const code = errorCode(error)
  // from TLS 1.3 on a server may refuse the handshake after it looked finished
  if (code.startsWith('ERR_SSL_')) return describeTlsError(error, host)
  const message = error instanceof Error ? error.message : ''
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { code: 'headers_too_large', message: 'The headers of the answer are larger than 16 KiB.' }
  }
  if (code === 'UND_ERR_SOCKET' && message === 'bad response') {
    return {
      code: 'response_malformed',
      message: 'The endpoint answered what nobody asked for, such as 100 Continue.',
    }
  }
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade') {
    return {
      code: 'response_malformed',
      message: 'The endpoint wants another protocol instead of answering.',
    }
  }
  if (error instanceof errors.HTTPParserError || malformed.has(code)) {
    return { code: 'response_malformed', message: 'The answer is not valid HTTP/1.1.' }
  }
  if (resets.has(code)) {
    return {
      code: 'connection_reset',
      message: 'The endpoint closed the connection before its answer was complete.',
    }
  }
  return { code: 'unknown', message: `The attempt failed${code === '' ? '' : ` (${code})`}.` }
}

const malformed = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'ERR_ASSERTION'])

const resets = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
  'SOCKET_GONE',
])
