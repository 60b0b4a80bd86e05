/** What a load generator sends. */
export interface LoadPlan {
  /** The origin of the service. */
  url: string
  /** Defaults to `/v1/outcomes`. */
  path?: string
  /** API keys or the operator token. Each request uses the next one. */
  credentials: readonly string[]
  /** For the operator token. Each outcome names the next account. */
  accountIds?: readonly string[]
  /** Defaults to 1, which sends a single object. More send an array. */
  outcomesPerRequest?: number
  /** The number of the first outcome, so that several runs report different ones. Defaults to 0. */
  firstOutcome?: number
  connections: number
  pace: OpenPace | ClosedPace
}

/** Requests are sent at fixed times, independent of the responses. */
export interface OpenPace {
  loop: 'open'
  requestsPerSecond: number
  seconds: number
}

/** Each connection sends the next request when it gets the response. */
export interface ClosedPace {
  loop: 'closed'
  seconds: number
}

export interface LoadReport {
  requests: number
  /** Outcomes that the service accepted, according to its responses. */
  accepted: number
  /** Requests that did not get 2xx, by status. */
  refused: Record<string, number>
  /** Requests without a response. It is unknown whether they were stored. */
  unanswered: number
  /** From the first request to the last response. */
  elapsedMs: number
  /** For each request that got 2xx, in the order of the responses. */
  answered: {
    /** The scheduled time in epoch milliseconds, or the send time in a closed loop. It equals `due_ms` of the event. */
    dueAtMs: Float64Array
    /** From the scheduled time to the response. */
    answerMs: Float64Array
  }
  /** How late each request was sent. */
  lateMs: Float64Array
}
