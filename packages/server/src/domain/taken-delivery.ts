/** A delivery that this process holds until its lease ends, with all that one attempt needs. */
export interface TakenDelivery {
  readonly accountId: string
  readonly endpointId: string
  readonly deliveryId: string
  readonly eventId: string
  /** The endpoint's version when it was taken: secrets, URL and headers of another version are never used. */
  readonly endpointVersion: number
  /** Attempts had failed since its last success when it was taken: a success ends that, and has to be written. */
  readonly endpointFailing: boolean
  /** The endpoint had a rate limit or drained a backlog when it was taken. */
  readonly endpointPaced: boolean
  readonly sequence: number
  /** With what it is held together, for its first attempt; null of one that is held by itself. */
  readonly hold: Hold | null
  /** The fence: a result counts only while the row still bears this number. */
  readonly claim: number
  /** How often in a row a process took it and was never heard of again. */
  readonly lostClaims: number
  readonly attemptCount: number
  readonly retriesUsed: number
  readonly trigger: AttemptTrigger
  /** Acknowledged before: a failed manual attempt leads back to `delivered`. */
  readonly wasDelivered: boolean
  /** The exact bytes to sign and send. */
  readonly body: Uint8Array
  /** Monotonic milliseconds after which it may not be started any more: it goes back instead. */
  readonly startByMs: number
}

/** Deliveries that one statement handed over, or claimed, for first attempts: one row holds them all. */
export interface Hold {
  readonly id: string
  /** How many of them are not settled yet. */
  unsettled: number
}

export type AttemptTrigger = 'schedule' | 'manual' | 'replay' | 'test'

/** How long after the statement that took it a delivery may still be started; `promote` waits as long. */
export const startWithinMs = 1_000
