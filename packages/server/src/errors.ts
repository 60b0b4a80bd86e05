import type { ErrorCode } from '@posthorn/contract'

/** An error for the caller: `code` is from the closed list in the contract, `detail` says what to do. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  /** Extra headers of the answer. */
  readonly headers: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: string,
    errors: readonly FieldError[] = [],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail)
    this.code = code
    this.errors = errors
    this.headers = headers
  }
}

/** One wrong field of a request: `path` is a JSON pointer into the body. */
export interface FieldError {
  path: string
  message: string
}

/** The error while an account moves to another shard, and at a shard that the account has left. */
export function accountMoving(): AppError {
  return new AppError(
    'account_moving',
    'The account is being moved to another database. Repeat the request after the number of seconds in Retry-After.',
  )
}
