import type { ErrorCode, Problem } from '@posthorn/contract'

/** An error response of the service, with a `code` for programs and a `message` for people. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly code: ErrorCode
  readonly status: number
  /** Each invalid field, if the code is `validation_failed`. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  /** Give it to the operator when you ask for help. */
  readonly requestId: string
  /** How long the service asks you to wait, or null. */
  readonly retryAfterSeconds: number | null

  constructor(problem: Problem, retryAfterSeconds: number | null = null) {
    super(problem.detail)
    this.code = problem.code
    this.status = problem.status
    this.errors = problem.errors ?? []
    this.requestId = problem.request_id
    this.retryAfterSeconds = retryAfterSeconds
  }
}
