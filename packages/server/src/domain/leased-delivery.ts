/** A delivery that this process holds under its lease, with everything that one attempt needs. */
export interface LeasedDelivery {
  readonly accountId: string
  readonly endpointId: string
  readonly deliveryId: string
  readonly eventId: string
  /** The endpoint's version at the time of the claim. The attempt must not use secrets, URL or headers of another version. */
  readonly endpointVersion: number
  /** The endpoint was failing at the time of the claim, so a success must be written to its row. */
  readonly endpointFailing: boolean
  /** The endpoint had a rate limit or drained a backlog at the time of the claim. */
  readonly endpointLimited: boolean
  readonly sequence: number
  /** The fence: a failure counts only if the queue row still has this process number and this claim. */
  readonly process: number
  readonly claim: number
  /** How many processes in a row claimed the delivery and died. */
  readonly lostClaims: number
  readonly attemptCount: number
  readonly retriesUsed: number
  readonly trigger: AttemptTrigger
  /** The delivery was acknowledged before, so a failed manual attempt leaves it `delivered`. */
  readonly wasDelivered: boolean
  /** It is a test event, and starts before the other deliveries of its endpoint. */
  readonly goesFirst: boolean
  /** The exact bytes to sign and send. */
  readonly body: Uint8Array
  /** The `traceparent` of the report, or of Posthorn's own span for it; null without a trace. */
  readonly traceparent: string | null
  /** Monotonic time after which the attempt must not start. The delivery then returns to the queue. */
  readonly startByMs: number
}

export type AttemptTrigger = 'schedule' | 'manual' | 'replay' | 'test'

/** How long after its claim a delivery may start. `promote` waits for the same time. */
export const startWithinMs = 1_000
