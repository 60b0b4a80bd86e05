/** How many new deliveries this process can start at once, so that the accept statement hands them over to it. */
export interface HandOffCapacity {
  /** In all. */
  readonly total: number
  /** For an endpoint that this process knows nothing of. */
  readonly perEndpoint: number
  /**
   * For the endpoints that it knows and that have another capacity.
   * @param events how many events each account brings
   */
  known(events: ReadonlyMap<string, number>): Map<string, number>
}

/** An endpoint with new deliveries that were not handed over: they are due, and nobody holds them. */
export interface LeftEndpoint {
  readonly accountId: string
  readonly endpointId: string
  /** It has a rate limit or drains a backlog. */
  readonly limited: boolean
  /** How many of the new ones. */
  readonly deliveries: number
}
