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
  readonly #shareOf: (endpoint: ReadyEndpoint) => Share
  #turn = 0

  constructor(shareOf: (endpoint: ReadyEndpoint) => Share) {
    this.#shareOf = shareOf
  }

  get size(): number {
    return shares.reduce((sum, share) => sum + this.#lines[share].size, 0)
  }

  has(endpointId: string): boolean {
    return this.#lineOf(endpointId) !== undefined
  }

  /** Enters an endpoint at its account's end. One that is there keeps its place while it draws on the same share. */
  set(endpoint: ReadyEndpoint): void {
    const line = this.#lines[this.#shareOf(endpoint)]
    const known = this.#lineOf(endpoint.endpointId)
    if (known !== line) known?.delete(endpoint.endpointId)
    line.set(endpoint)
  }

  /** Its share may have changed. */
  sort(endpointId: string): void {
    const endpoint = this.#lineOf(endpointId)?.get(endpointId)
    if (endpoint !== undefined) this.set(endpoint)
  }

  delete(endpointId: string): void {
    this.#lineOf(endpointId)?.delete(endpointId)
  }

  /** It was asked: the others of its share come first. */
  toEnd(endpointId: string): void {
    this.#lineOf(endpointId)?.toEnd(endpointId)
  }

  /** The shares in turn, another one first each time; in each of them accounts, and their endpoints. Nothing may change meanwhile. */
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

  #lineOf(endpointId: string): DueLine | undefined {
    const share = shares.find(one => this.#lines[one].get(endpointId) !== undefined)
    return share === undefined ? undefined : this.#lines[share]
  }
}
