import { DueLine } from './due-line.ts'
import type { ReadyEndpoint } from './find-ready.ts'
import { type Share, shares } from './lane.ts'

/** Who of those that have something due is not asked. */
export interface NotNow {
  /** Nothing more may be taken for any endpoint of this share. */
  full: (share: Share) => boolean
  /** Nothing more of this share may be taken for this account. */
  capped: (share: Share, accountId: string) => boolean
}

/**
 * Endpoints that have something due, in a line for each share of the capacity. Thousands whose receivers hang stand in
 * theirs for minutes, and whoever asks the others passes none of them.
 */
export class DueShares {
  readonly #lines = { proven: new DueLine(), unproven: new DueLine(), failing: new DueLine() }
  /** In which line each stands. */
  readonly #entered = new Map<string, DueLine>()
  readonly #shareOf: (endpoint: ReadyEndpoint) => Share
  #turn = 0

  constructor(shareOf: (endpoint: ReadyEndpoint) => Share) {
    this.#shareOf = shareOf
  }

  get size(): number {
    return this.#entered.size
  }

  has(endpointId: string): boolean {
    return this.#entered.has(endpointId)
  }

  /** Whether something is due of this account that would have been handed over, had there been room. */
  hasProven(accountId: string): boolean {
    return this.#lines.proven.hasUnpaced(accountId)
  }

  /**
   * Enters an endpoint at its account's end. One that is there keeps its place while it draws on the same share, and what is
   * known of where its own line begins.
   */
  set(endpoint: ReadyEndpoint): void {
    const line = this.#lines[this.#shareOf(endpoint)]
    const known = this.#entered.get(endpoint.endpointId)
    const knownFromMs = known?.get(endpoint.endpointId)?.dueFromMs
    if (known !== line) {
      known?.delete(endpoint.endpointId)
      this.#entered.set(endpoint.endpointId, line)
    }
    const keepsKnown = endpoint.dueFromMs === undefined && knownFromMs !== undefined
    line.set(keepsKnown ? { ...endpoint, dueFromMs: knownFromMs } : endpoint)
  }

  /** Its share may have changed. Says whether it has something due at all. */
  sort(endpointId: string): boolean {
    const endpoint = this.#entered.get(endpointId)?.get(endpointId)
    if (endpoint === undefined) return false
    this.set(endpoint)
    return true
  }

  delete(endpointId: string): void {
    this.#entered.get(endpointId)?.delete(endpointId)
    this.#entered.delete(endpointId)
  }

  /** It was asked: the others of its share come first. */
  toEnd(endpointId: string): void {
    this.#entered.get(endpointId)?.toEnd(endpointId)
  }

  /**
   * The shares in turn, another one first each time; in each of them accounts, and their endpoints. Nothing may change
   * meanwhile.
   */
  *inTurn({ full, capped }: NotNow): Generator<{ endpoint: ReadyEndpoint; share: Share }> {
    const from = this.#turn++ % shares.length
    let open = [...shares.slice(from), ...shares.slice(0, from)].map(share => ({
      share,
      line: this.#lines[share].inTurn(accountId => capped(share, accountId)),
    }))
    while (open.length > 0) {
      const going: typeof open = []
      for (const one of open) {
        const endpoint = full(one.share) ? undefined : one.line.next().value
        if (endpoint === undefined) continue
        yield { endpoint, share: one.share }
        going.push(one)
      }
      open = going
    }
  }
}
