import type { ErrorCode, Problem } from '@posthorn/contract'

/** The service refused; `code` is the reason for programs and `message` the reason for people. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: ErrorCode | 'unreadable'
  /** The path of each wrong field, such as `/url`. */
  readonly fields: readonly { readonly path: string; readonly message: string }[]
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null

  private constructor(response: Response, problem: Partial<Problem>) {
    super(problem.detail ?? `The service answered ${response.status}.`)
    this.status = response.status
    this.code = problem.code ?? 'unreadable'
    this.fields = problem.errors ?? []
    this.requestId = problem.request_id ?? response.headers.get('x-request-id')
    const seconds = Number(response.headers.get('retry-after'))
    this.retryAfterSeconds = seconds > 0 ? seconds : null
  }

  static async from(response: Response): Promise<ApiProblem> {
    const body: unknown = await response.json().catch(() => ({}))
    return new ApiProblem(response, typeof body === 'object' && body !== null ? body : {})
  }

  /** The message about one field of a form, or null. */
  field(path: string): string | null {
    return (
      this.fields.find(field => field.path === path || field.path.startsWith(`${path}/`))?.message ?? null
    )
  }
}

/** The service did not answer: the network or the service is down. */
export class OfflineError extends Error {
  override readonly name = 'OfflineError'
  /** As far as the browser knows. */
  readonly hasNetwork: boolean

  constructor(hasNetwork: boolean) {
    super('the service did not answer')
    this.hasNetwork = hasNetwork
  }
}
