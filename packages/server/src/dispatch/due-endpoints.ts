import type { EndpointRoom } from './claim.ts'
import type { Readiness, ReadyEndpoint } from './find-ready.ts'

/** How often the table may be asked, and how much of the time: with thousands of endpoints waiting it takes long. */
const lookEveryMs = 20
const lookShare = 0.1

/** What this process knows of due work that nobody holds: a hint, refreshed from the table. */
export class DueEndpoints {
  readonly #endpoints = new Map<string, ReadyEndpoint>()
  #stale = true
  #mayLookAtMs = Number.NEGATIVE_INFINITY
  #nextDueAtMs = Number.POSITIVE_INFINITY
  #pollAtMs = 0
  /** With whom the next claim begins; otherwise what the table names first would be first whenever there is little room. */
  #turn = 0

  get size(): number {
    return this.#endpoints.size
  }

  has(endpointId: string): boolean {
    return this.#endpoints.has(endpointId)
  }

  /** An endpoint is known to have something due. */
  add(endpoint: { accountId: string; endpointId: string; paced: boolean }): void {
    if (!this.#endpoints.has(endpoint.endpointId)) {
      this.#endpoints.set(endpoint.endpointId, { ...endpoint, failuresInRow: 0 })
    }
  }

  /** Somebody says that something became due: the table must be asked. */
  mayHaveChanged(): void {
    this.#stale = true
  }

  /** True when the table should be asked now. */
  isStale(nowMs: number): boolean {
    const rang = nowMs >= Math.min(this.#nextDueAtMs, this.#pollAtMs)
    return (this.#stale || rang) && nowMs >= this.#mayLookAtMs
  }

  found(readiness: Readiness, asked: { askedAtMs: number; nowMs: number; pollEveryMs: number }): void {
    const { askedAtMs, nowMs, pollEveryMs } = asked
    this.#endpoints.clear()
    for (const endpoint of readiness.ready) this.#endpoints.set(endpoint.endpointId, endpoint)
    this.#stale = false
    this.#mayLookAtMs = Math.max(nowMs + lookEveryMs, askedAtMs + (nowMs - askedAtMs) / lookShare)
    this.#pollAtMs = nowMs + pollEveryMs
    this.#nextDueAtMs = nowMs + (readiness.nextDueInMs ?? Number.POSITIVE_INFINITY)
  }

  /** A delivery was set to be due in so many milliseconds. */
  dueIn(ms: number, nowMs: number): void {
    this.#nextDueAtMs = Math.min(this.#nextDueAtMs, nowMs + ms)
  }

  /** When to look again. */
  nextInMs(nowMs: number): number {
    const at = Math.min(this.#nextDueAtMs, this.#pollAtMs)
    const earliest = this.#mayLookAtMs
    return Math.max(0, this.#stale ? earliest - nowMs : Math.max(at, earliest) - nowMs)
  }

  /** Accounts in turn, so that one with many due endpoints does not take all the room. */
  inTurn(): ReadyEndpoint[] {
    const byAccount = Map.groupBy(this.#endpoints.values(), endpoint => endpoint.accountId)
    const accounts = [...byAccount.values()]
    const lists = accounts.map((_, n) => accounts[(n + this.#turn) % accounts.length] ?? [])
    const longest = Math.max(0, ...lists.map(list => list.length))
    const inTurn: ReadyEndpoint[] = []
    for (let i = 0; i < longest; i++) {
      for (const list of lists) {
        const endpoint = list[(i + this.#turn) % list.length]
        if (i < list.length && endpoint !== undefined) inTurn.push(endpoint)
      }
    }
    return inTurn
  }

  failuresInRow(endpointId: string): number {
    return this.#endpoints.get(endpointId)?.failuresInRow ?? 0
  }

  /** An endpoint that gave less than there was room for has nothing more that is due. */
  claimed(rooms: readonly EndpointRoom[], claimed: ReadonlyArray<{ endpointId: string }>): void {
    this.#turn += rooms.length
    const counts = new Map<string, number>()
    for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
    for (const { endpointId, room } of rooms) {
      if ((counts.get(endpointId) ?? 0) < room) this.#endpoints.delete(endpointId)
    }
  }
}
