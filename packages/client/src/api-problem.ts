import type { ErrorCode, Problem } from '@posthorn/contract'

/** The service refused: what it says, for programs (`code`) and for people (`message`). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly code: ErrorCode
  readonly status: number
  /** Each field that is wrong, with `validation_failed`. */
  readonly errors: readonly { readonly path: string; readonly message: string }[]
  /** Name it when you ask for help. */
  readonly requestId: string
  /** When the service asks for patience; null when it does not. */
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
