/** Limits of one statement. A larger request is a group of its own. */
export const groupEventsMax = 1_000
export const groupBytesMax = 4 * 1024 * 1024
export const groupDeliveriesMax = 10_000

/** A request that waits to be stored. */
export interface Groupable {
  readonly accountId: string
  readonly events: readonly unknown[]
  /** The size of its events' bodies. */
  readonly bytes: number
  /** It is a group of its own. */
  readonly alone?: boolean
}

export interface GroupRules {
  /** The round-robin order that the last group returned. Accounts that are not in it come last. */
  readonly accountOrder: readonly string[]
  /** Accounts to leave out. If no others wait, the group is empty. */
  readonly excluded: ReadonlySet<string>
  /** How many deliveries an event of this account creates, judging by its last group. */
  readonly fanOut: (accountId: string) => number
}

/**
 * Chooses the next group from the waiting requests: round robin over accounts, one request each, until the group is full.
 * @param waiting oldest first, as in `later`
 */
export function nextGroup<Request extends Groupable>(
  waiting: readonly Request[],
  { accountOrder, excluded, fanOut }: GroupRules,
): { group: Request[]; later: Request[]; accountOrder: string[] } {
  const byAccount = Map.groupBy(waiting, request => request.accountId)
  const accounts = new Set([...accountOrder, ...byAccount.keys()])
  const order = [...accounts].filter(accountId => byAccount.has(accountId))
  const group = new Set<Request>()
  const size = { events: 0, bytes: 0, deliveries: 0 }
  let isClosed = false
  for (let progress = true; progress && !isClosed; ) {
    progress = false
    for (const accountId of order) {
      const request = excluded.has(accountId) ? undefined : byAccount.get(accountId)?.[0]
      if (request === undefined) continue
      const events = size.events + request.events.length
      const bytes = size.bytes + request.bytes
      const deliveries = size.deliveries + request.events.length * fanOut(accountId)
      const fits =
        request.alone !== true &&
        events <= groupEventsMax &&
        bytes <= groupBytesMax &&
        deliveries <= groupDeliveriesMax
      if (group.size > 0 && !fits) continue
      byAccount.get(accountId)?.shift()
      group.add(request)
      Object.assign(size, { events, bytes, deliveries })
      progress = true
      isClosed = request.alone === true
      if (isClosed) break
    }
  }
  const served = new Set([...group].map(request => request.accountId))
  return {
    group: [...group],
    later: waiting.filter(request => !group.has(request)),
    // accounts in this group come last next time
    accountOrder: order.toSorted((a, b) => Number(served.has(a)) - Number(served.has(b))),
  }
}
