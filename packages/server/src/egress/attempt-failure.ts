import { type AttemptErrorDetails, attemptMessage } from '@posthorn/contract/plain'
import type { AttemptError, AttemptErrorCode } from '../domain/attempt-error.ts'

/** Ends an attempt before there is an answer. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure'
  readonly error: AttemptError

  constructor(error: AttemptError, options?: { cause: unknown }) {
    super(error.message, options)
    this.error = error
  }

  get code(): AttemptErrorCode {
    return this.error.code
  }
}

/** The error that the customer reads. @param cause a more specific sentence than the default for this code */
export function attemptError<const Code extends AttemptErrorCode>(
  code: Code,
  details: AttemptErrorDetails<Code>,
  cause?: string,
): AttemptError {
  return { code, message: attemptMessage(code, details, cause) }
}

/** The `code` that Node puts on its errors. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
