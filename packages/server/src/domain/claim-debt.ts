/** Of what is left to claims, so many times as much is owed: what had piled up before goes as fast as it came. */
const owedForEach = 2
/** What was left while nothing could be claimed is not owed for ever. */
const owedMax = 5_000

/**
 * What claims owe: for each delivery that is left to them, two are to be claimed. While they owe something, they may not
 * rest: behind a backlog nothing is handed over, so what arrives for its endpoint is left to claims, and claims that
 * rest while more arrives than they take make the backlog grow, of ever more endpoints.
 */
export class ClaimDebt {
  #owed = 0

  /** Nothing is owed. */
  get mayRest(): boolean {
    return this.#owed <= 0
  }

  /** So many new deliveries were not handed over. */
  left(deliveries: number): void {
    this.#owed = Math.min(owedMax, this.#owed + deliveries * owedForEach)
  }

  /** So many were claimed. */
  claimed(deliveries: number): void {
    this.#owed = Math.max(0, this.#owed - deliveries)
  }
}
