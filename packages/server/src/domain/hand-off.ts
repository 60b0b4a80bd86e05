/** How many new deliveries this process can start at once. The accept statement hands them off to this process. */
export interface HandOffCapacity {
  /** For all endpoints together. */
  readonly total: number
  /** For an endpoint that this process has not seen yet. */
  readonly perEndpoint: number
  /**
   * For known endpoints with another capacity.
   * @param events the number of new events for each account
   */
  known(events: ReadonlyMap<string, number>): Map<string, number>
}

/** An endpoint with new deliveries that were not handed off. They are due, and no process holds them. */
export interface LeftEndpoint {
  readonly accountId: string
  readonly endpointId: string
  /** The endpoint has a rate limit or drains a backlog. */
  readonly limited: boolean
  /** The number of these deliveries. */
  readonly deliveries: number
}
