/** A request that must have its effect once, even if it is sent several times. */
export interface OnceRequest {
  /** The account, or null for the operator. */
  readonly accountId: string | null
  readonly key: string
  /** Two requests are the same if method, path and the bytes of the body are the same. */
  readonly method: string
  readonly path: string
  readonly body: Uint8Array
}

/** The answer to a successful request. */
export interface OnceAnswer {
  readonly status: number
  readonly body: object
}

export interface OnceResult {
  readonly answer: OnceAnswer
  /** The age of a stored answer; null for the first request. */
  readonly replayedAfterMs: number | null
}
