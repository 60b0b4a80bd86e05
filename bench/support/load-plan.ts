/** What a load generator is to send. */
export interface LoadPlan {
  /** Origin of the service. */
  url: string
  /** `/v1/outcomes` unless named. */
  path?: string
  /** API keys, or the operator's token: each request bears the next one. */
  credentials: readonly string[]
  /** For the operator's token: each outcome names the next one. */
  accountIds?: readonly string[]
  /** 1 unless named: then a single object, else an array. */
  outcomesPerRequest?: number
  /** The number of the first outcome, so that several runs report different ones. 0 unless named. */
  firstOutcome?: number
  connections: number
  pace: OpenPace | ClosedPace
}

/** Requests are sent at moments drawn beforehand, whatever the answers. */
export interface OpenPace {
  loop: 'open'
  requestsPerSecond: number
  seconds: number
}

/** Each connection sends again as soon as it was answered. */
export interface ClosedPace {
  loop: 'closed'
  seconds: number
}

export interface LoadReport {
  requests: number
  /** Outcomes that the service said it had accepted. */
  accepted: number
  /** Requests answered with something other than 2xx, by status. */
  refused: Record<string, number>
  /** Requests whose connection ended before the answer: whether they were stored is not known. */
  unanswered: number
  /** From the first request to the last answer. */
  elapsedMs: number
  /** Per request that was answered with 2xx, in the order of the answers. */
  answered: {
    /** The scheduled moment in epoch milliseconds; in a closed loop when it was sent. It is the event's `due_ms` too. */
    dueAtMs: Float64Array
    /** From the scheduled moment to the answer. */
    answerMs: Float64Array
  }
  /** By how much each request was sent after its scheduled moment, because no connection was free or no time. */
  lateMs: Float64Array
}
