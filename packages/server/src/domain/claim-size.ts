/** A claim that takes longer leaves too little of the second within which what it took must be started. */
const tooLongMs = 400
/** More in one would keep what others have just reported waiting while it is read. */
const mostAtOnce = 500

/**
 * How many deliveries one claim may take. All that it takes must be started within a second of its beginning; on a
 * database that is slow at the moment, a large claim would use that second up, give everything back and begin anew.
 */
export class ClaimSize {
  #max = mostAtOnce

  get max(): number {
    return this.#max
  }

  /** A claim that had asked for so many deliveries found so many and took so long. */
  took(asked: number, claimed: number, durationMs: number): void {
    if (durationMs > tooLongMs) this.#max = Math.max(1, Math.floor((claimed * tooLongMs) / durationMs / 2))
    else if (asked >= this.#max) this.#max = Math.min(mostAtOnce, this.#max * 2)
  }
}
