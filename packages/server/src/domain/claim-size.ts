/** A claim that takes longer leaves too little of the second within which what it took must be started. */
const tooLongMs = 400
/** More in one would keep what others have just reported waiting while it is read. */
const mostAtOnce = 500

/** Of one endpoint, where many have a little: as many endpoints are asked as this goes into the most. */
const leastOfEach = 20

/**
 * How many deliveries one claim may take. All that it takes must be started within a second of its beginning; on a
 * database that is slow at the moment, a large claim would use that second up, give everything back and begin anew.
 *
 * And how many of one endpoint. Nobody knows how much each has: where most have less than they could take, few would be
 * asked for much that is not there.
 */
export class ClaimSize {
  #max = mostAtOnce
  #ofEach = mostAtOnce

  get max(): number {
    return this.#max
  }

  get ofEach(): number {
    return this.#ofEach
  }

  /** A claim that had asked for so many deliveries found so many and took so long. */
  took(asked: number, claimed: number, durationMs: number): void {
    if (durationMs > tooLongMs) this.#max = Math.max(1, Math.floor((claimed * tooLongMs) / durationMs / 2))
    else if (asked >= this.#max) this.#max = Math.min(mostAtOnce, this.#max * 2)
    if (asked === 0) return
    if (claimed < asked / 2) this.#ofEach = leastOfEach
    else if (claimed === asked) this.#ofEach = Math.min(mostAtOnce, this.#ofEach * 2)
  }
}
