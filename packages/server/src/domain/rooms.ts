/** How many more deliveries a process could start within the second that it may hold them unstarted. */
export interface Rooms {
  /** In all. */
  readonly total: number
  /** For an endpoint that this process knows nothing about. */
  readonly perEndpoint: number
  /** For the endpoints of the given accounts where the answer differs from `perEndpoint`. */
  known(accountIds: ReadonlySet<string>): Map<string, number>
}
