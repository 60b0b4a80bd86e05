import { attemptMessage } from '@posthorn/contract/plain'
import type { AttemptError } from '../domain/attempt-error.ts'

/** The address itself stays unsaid: it would tell a stranger how the network inside looks. */
export function addressRefused(host: string): AttemptError {
  return { code: 'address_refused', message: attemptMessage('address_refused', { host }) }
}
