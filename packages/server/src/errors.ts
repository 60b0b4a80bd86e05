import type { ErrorCode } from '@posthorn/contract'

/** A refusal that the caller is told of: `code` is from the contract's closed list, `detail` says what to do. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]
  /** Headers of the answer, for what only this refusal knows. */
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

/** One field of a refused request: `path` is a JSON pointer into the body. */
export interface FieldError {
  path: string
  message: string
}
