import { attemptError, AttemptFailure } from './attempt-failure.ts'
import type { Origin } from './origin.ts'

/** The operator's fault, not the receiver's. */
export function proxyFailed(reason: string, cause?: unknown): AttemptFailure {
  return new AttemptFailure(attemptError('unknown', { reason: `our proxy failed: ${reason}` }), { cause })
}

/** The proxy has no connection to the receiver. @param answer what it said */
export function proxyCouldNotConnect({ host, port }: Origin, answer: string): AttemptFailure {
  const cause = `Our proxy could not connect to it (${answer}).`
  return new AttemptFailure(attemptError('connect_refused', { host, port: String(port) }, cause))
}

/** The proxy's rules do not allow the receiver. */
export function proxyDenied({ host }: Origin): AttemptFailure {
  return new AttemptFailure(attemptError('address_refused', { host }))
}
