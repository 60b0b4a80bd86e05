import type { AttemptErrorCode } from '../domain/attempt-error.ts'

/** Ends an attempt before there is an answer; the message is the customer's. */
export class AttemptFailure extends Error {
  override readonly name = 'AttemptFailure'
  readonly code: AttemptErrorCode

  constructor(code: AttemptErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** The `code` that Node puts on its errors. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
