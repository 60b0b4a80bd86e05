/** A request that must have its effect once, however often it is sent. */
export interface OnceRequest {
  /** The account, or null for the operator. */
  readonly accountId: string | null
  readonly key: string
  /** What makes two requests the same: method, path and the bytes of the body. */
  readonly method: string
  readonly path: string
  readonly body: Uint8Array
}

/** A success as it is answered. */
export interface OnceAnswer {
  readonly status: number
  readonly body: object
}

export interface OnceResult {
  readonly answer: OnceAnswer
  /** How long ago the effect took place, for an answer that is given again; null for the first one. */
  readonly replayedAfterMs: number | null
}
