import type { ErrorCode } from '@posthorn/contract'

/** A refusal that the caller is told of: `code` is from the contract's closed list, `detail` says what to do. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[]

  constructor(code: ErrorCode, detail: string, errors: readonly FieldError[] = []) {
    super(detail)
    this.code = code
    this.errors = errors
  }
}

/** One field of a refused request: `path` is a JSON pointer into the body. */
export interface FieldError {
  path: string
  message: string
}
