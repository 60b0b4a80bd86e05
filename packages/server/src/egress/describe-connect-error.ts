import type { AttemptError } from '../domain/attempt-error.ts'
import { attemptError, AttemptFailure, errorCode } from './attempt-failure.ts'
import type { Origin } from './origin.ts'

/** The time limit for connecting, including TLS. */
export const connectTimeoutMs = 5_000

/** Explains why there is no connection. */
export function describeConnectError(error: unknown, { host, port }: Origin): AttemptError {
  if (error instanceof AttemptFailure) return error.error
  const code = errorCode(error)
  switch (code) {
    case 'ECONNREFUSED':
      return attemptError('connect_refused', { host, port: String(port) })
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
    case 'EPERM': {
      const cause = 'The network has no route to it.'
      return attemptError('connect_refused', { host, port: String(port) }, cause)
    }
    case 'ETIMEDOUT':
      return connectTimeout('connect', host, connectTimeoutMs)
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
      return hungUp('It did so while the connection was being opened.')
    default:
      return attemptError('unknown', {
        reason: `the connection could not be opened${code === '' ? '' : ` (${code})`}`,
      })
  }
}

/** Connecting took too long. */
export function connectTimeout(stage: 'connect' | 'tls', host: string, afterMs: number): AttemptError {
  const limit = String(afterMs / 1000)
  const cause =
    stage === 'tls' ? 'It accepted the connection but did not finish the TLS handshake.' : undefined
  return attemptError('connect_timeout', { host, limit }, cause)
}

/** The receiver closed the connection before it answered. */
export function hungUp(cause?: string): AttemptError {
  return attemptError('connection_reset', { time: 'the time of this attempt' }, cause)
}
