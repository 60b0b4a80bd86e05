import type { TakenDelivery } from '../domain/taken-delivery.ts'

/**
 * Knows of which of this process's holds nothing is held any more: the next settlement removes their rows. One whose
 * removal fails, or that an earlier primary wrote, goes when its lease ends.
 */
export class Holds {
  #empty: string[] = []

  /** What was settled or given back. */
  letGo(taken: readonly TakenDelivery[]): void {
    for (const { hold } of taken) if (hold !== null && --hold.unsettled === 0) this.#empty.push(hold.id)
  }

  /** Those to remove now. */
  takeEmpty(): readonly string[] {
    const empty = this.#empty
    this.#empty = []
    return empty
  }
}
