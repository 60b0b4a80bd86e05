import { Agenda } from '../domain/agenda.ts'
import type { EndpointRoom } from './claim.ts'
import { DueShares } from './due-shares.ts'
import { firstEndpoint, type Readiness, type ReadyEndpoint } from './find-ready.ts'
import type { Share } from './lane.ts'

/** How often the table may be asked, and how much of the time: with thousands of endpoints waiting it takes long. */
const lookEveryMs = 20
const lookShare = 0.1
/** How often what becomes due is looked at: what comes within this is claimed together. */
const ringEveryMs = 20

/** Retries kept in mind. Of others the table tells: some seconds late. */
const upcomingMax = 50_000

/**
 * What this process knows of due work that nobody holds: what it was told, what it has set to be due itself, and what a
 * look at the table found. A hint: whoever has nothing is struck out when a claim finds that.
 */
export class DueEndpoints {
  /** Those that may be asked now. */
  readonly endpoints: DueShares
  readonly #upcoming = new Agenda<ReadyEndpoint>()
  /** Those of which somebody said that something is due since the claim under way began: it may not have seen it. */
  readonly #toldSince = new Set<string>()
  #stale = true
  /** How far the look under way has come. */
  #lookedUpTo = firstEndpoint
  #mayLookAtMs = Number.NEGATIVE_INFINITY
  #pollAtMs = 0
  #mayRingAtMs = Number.NEGATIVE_INFINITY

  /** @param shareOf the share of the capacity that an endpoint draws on, as far as is known now */
  constructor(shareOf: (endpoint: ReadyEndpoint) => Share) {
    this.endpoints = new DueShares(shareOf)
  }

  /** An endpoint is known to have something due. */
  add(endpoint: { accountId: string; endpointId: string; paced: boolean }): void {
    this.#toldSince.add(endpoint.endpointId)
    if (!this.endpoints.has(endpoint.endpointId)) {
      this.endpoints.set({ ...endpoint, failuresInRow: 0 })
    }
  }

  /** Something of this endpoint was set to be due at a moment. */
  dueAt(atMs: number, endpoint: ReadyEndpoint): void {
    if (this.#upcoming.size < upcomingMax) this.#upcoming.add(atMs, endpoint)
  }

  /** What was set to be due by now is. */
  ring(nowMs: number): void {
    if (nowMs < this.#ringAtMs) return
    for (const endpoint of this.#upcoming.takeUntil(nowMs)) this.endpoints.set(endpoint)
    this.#mayRingAtMs = nowMs + ringEveryMs
  }

  /** Somebody says that something became due: the table must be asked. */
  mayHaveChanged(): void {
    this.#stale = true
  }

  /** True when the table should be asked now, for the next part of a look or the first. */
  isLookDue(nowMs: number): boolean {
    return nowMs >= this.#lookAtMs
  }

  /** The endpoint behind which the look goes on. What changes from now on is for the next one to find. */
  look(): string {
    if (this.#lookedUpTo === firstEndpoint) this.#stale = false
    return this.#lookedUpTo
  }

  found({ ready, last }: Readiness, asked: { askedAtMs: number; nowMs: number; pollEveryMs: number }): void {
    const { askedAtMs, nowMs, pollEveryMs } = asked
    for (const endpoint of ready) this.endpoints.set(endpoint)
    this.#lookedUpTo = last ?? firstEndpoint
    this.#mayLookAtMs = askedAtMs + (nowMs - askedAtMs) / lookShare
    if (last !== null) return
    this.#mayLookAtMs = Math.max(nowMs + lookEveryMs, this.#mayLookAtMs)
    this.#pollAtMs = nowMs + pollEveryMs
  }

  /** When something will be due, or the table should be asked. */
  nextInMs(nowMs: number): number {
    return Math.max(0, Math.min(this.#lookAtMs, this.#ringAtMs) - nowMs)
  }

  get #ringAtMs(): number {
    return Math.max(this.#mayRingAtMs, this.#upcoming.firstAtMs)
  }

  get #lookAtMs(): number {
    const isUnderWay = this.#lookedUpTo !== firstEndpoint
    return this.#stale || isUnderWay ? this.#mayLookAtMs : Math.max(this.#mayLookAtMs, this.#pollAtMs)
  }

  /** From now on a claim sees what is due. */
  claimBegins(): void {
    this.#toldSince.clear()
  }

  /** An endpoint that gave less than there was room for has nothing more that is due, unless something has come since. */
  claimed(rooms: readonly EndpointRoom[], claimed: ReadonlyArray<{ endpointId: string }>): void {
    const counts = new Map<string, number>()
    for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
    for (const { endpointId, room } of rooms) {
      const gaveLess = (counts.get(endpointId) ?? 0) < room
      if (gaveLess && !this.#toldSince.has(endpointId)) this.endpoints.delete(endpointId)
      else this.endpoints.toEnd(endpointId)
    }
  }
}
