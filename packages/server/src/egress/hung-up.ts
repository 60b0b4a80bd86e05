import { attemptMessage } from '@posthorn/contract/plain'
import type { AttemptError } from '../domain/attempt-error.ts'

/** What to say when the receiver closed the connection before there was an answer. When, the attempt itself shows. */
export function hungUp(cause?: string): AttemptError {
  const message = attemptMessage('connection_reset', { time: 'the time of this attempt' }, cause)
  return { code: 'connection_reset', message }
}
