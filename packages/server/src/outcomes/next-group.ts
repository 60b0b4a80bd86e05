/**
 * Most events and bytes of bodies in one statement; a request with more of them makes a group alone. Twice as many save the
 * database a twentieth, and make it and the service wait longer for each other.
 */
export const groupEventsMax = 500
export const groupBytesMax = 4 * 1024 * 1024

/** No account at all. */
export const nobody: ReadonlySet<string> = new Set()

/** A request that waits to be stored. */
export interface Groupable {
  readonly accountId: string
  readonly events: readonly unknown[]
  /** Of the bodies of its events. */
  readonly bytes: number
}

/**
 * Who of those that wait goes into the next group when not all of them fit. Accounts take turns, a request each. A request
 * that is too large for any group makes one alone.
 * @param waiting oldest first; what goes later stays in this order
 * @param turns accounts in the order of their turns, as the last group left it; those that are not in it come after them
 * @param heldBack accounts of which nothing goes into the group, which is empty where nobody else waits
 */
export function nextGroup<Request extends Groupable>(
  waiting: readonly Request[],
  turns: readonly string[],
  heldBack: ReadonlySet<string> = nobody,
): { group: Request[]; later: Request[]; turns: string[] } {
  const lines = Map.groupBy(waiting, request => request.accountId)
  const order = [...new Set([...turns, ...lines.keys()])].filter(accountId => lines.has(accountId))
  const group = new Set<Request>()
  let events = 0
  let bytes = 0
  const fits = (request: Request): boolean =>
    group.size === 0 ||
    (events + request.events.length <= groupEventsMax && bytes + request.bytes <= groupBytesMax)
  for (let progress = true; progress; ) {
    progress = false
    for (const accountId of order) {
      if (heldBack.has(accountId)) continue
      const request = lines.get(accountId)?.[0]
      if (request === undefined || !fits(request)) continue
      lines.get(accountId)?.shift()
      group.add(request)
      events += request.events.length
      bytes += request.bytes
      progress = true
    }
  }
  const served = new Set([...group].map(request => request.accountId))
  return {
    group: [...group],
    later: waiting.filter(request => !group.has(request)),
    // whoever was served goes to the end
    turns: order.toSorted((a, b) => Number(served.has(a)) - Number(served.has(b))),
  }
}
