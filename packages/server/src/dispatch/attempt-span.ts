import type { Verdict } from '../domain/decide-attempt.ts'
import type { LeasedDelivery } from '../domain/leased-delivery.ts'
import type { Exchange } from '../egress/egress.ts'

/** The record of an attempt in the trace of its event. */
export interface AttemptSpan {
  /** For the receiver, so that it can continue the trace. */
  readonly traceparent: string
  ended(exchange: Exchange): void
  /** The result is stored. */
  settled(verdict: Verdict): void
}

export type BeginAttemptSpan = (delivery: LeasedDelivery, url: string) => AttemptSpan
