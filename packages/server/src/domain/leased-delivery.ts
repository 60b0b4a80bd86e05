/** A delivery that this process holds under its lease, with all that one attempt needs. */
export interface LeasedDelivery {
  readonly accountId: string
  readonly endpointId: string
  readonly deliveryId: string
  readonly eventId: string
  /** The endpoint's version when it was claimed: secrets, URL and headers of another version are never used. */
  readonly endpointVersion: number
  /** Attempts had failed since the endpoint's last success: a success ends that, and has to be written. */
  readonly endpointFailing: boolean
  /** The endpoint had a rate limit or drained a backlog when it was claimed. */
  readonly endpointLimited: boolean
  readonly sequence: number
  /** The fence: a failure counts only while the queue row still bears this process number and this claim. */
  readonly process: number
  readonly claim: number
  /** How many processes in a row claimed it and died. */
  readonly lostClaims: number
  readonly attemptCount: number
  readonly retriesUsed: number
  readonly trigger: AttemptTrigger
  /** Acknowledged before: a failed manual attempt leads back to `delivered`. */
  readonly wasDelivered: boolean
  /** The exact bytes to sign and send. */
  readonly body: Uint8Array
  /** Monotonic milliseconds after which it may not be started any more: it goes back to the queue. */
  readonly startByMs: number
}

export type AttemptTrigger = 'schedule' | 'manual' | 'replay' | 'test'

/** How long after the statement that claimed it a delivery may still be started; `promote` waits as long. */
export const startWithinMs = 1_000
