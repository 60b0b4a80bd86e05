/** An endpoint with new deliveries that are due and that nobody holds. */
export interface LeftEndpoint {
  readonly accountId: string
  readonly endpointId: string
  /** It has a rate limit or drains a backlog: only so many of its deliveries may be claimed. */
  readonly paced: boolean
  /** How many of the new ones. */
  readonly deliveries: number
}
