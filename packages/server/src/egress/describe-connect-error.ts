import type { AttemptError } from '../domain/attempt-error.ts'
import { attemptError, AttemptFailure, errorCode } from './attempt-failure.ts'
import type { Origin } from './origin.ts'

/** How long connecting may take, TLS included. */
export const connectTimeoutMs = 5_000

/** Says why there is no connection. */
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
      const cause = 'There is no way to it through the network.'
      return attemptError('connect_refused', { host, port: String(port) }, cause)
    }
    case 'ETIMEDOUT':
      return connectTimeout('connect', host, connectTimeoutMs)
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
      return hungUp('The connection was being opened.')
    default:
      return attemptError('unknown', {
        reason: `the connection could not be opened${code === '' ? '' : ` (${code})`}`,
      })
  }
}

/** Says that the time for connecting is over. */
export function connectTimeout(stage: 'connect' | 'tls', host: string, afterMs: number): AttemptError {
  const limit = String(afterMs / 1000)
  const cause = stage === 'tls' ? 'It took the connection and did not finish the TLS handshake.' : undefined
  return attemptError('connect_timeout', { host, limit }, cause)
}

/** Says that the receiver closed the connection before there was an answer. When, the attempt itself shows. */
export function hungUp(cause?: string): AttemptError {
  return attemptError('connection_reset', { time: 'the time of this attempt' }, cause)
}
