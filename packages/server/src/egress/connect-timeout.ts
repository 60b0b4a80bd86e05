import { attemptMessage } from '@posthorn/contract/plain'
import { AttemptFailure } from './attempt-failure.ts'

/** How long connecting may take, TLS included. */
export const connectTimeoutMs = 5_000

/** What to say when the time for connecting is over. */
export function connectTimeout(stage: 'connect' | 'tls', host: string, afterMs: number): AttemptFailure {
  const limit = String(afterMs / 1000)
  const cause = stage === 'tls' ? 'It took the connection and did not finish the TLS handshake.' : undefined
  return new AttemptFailure('connect_timeout', attemptMessage('connect_timeout', { host, limit }, cause))
}
