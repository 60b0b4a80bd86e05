/** How many there are for each key; keys without any take no memory. */
export class Counts {
  readonly #counts = new Map<string, number>()

  /** Keys that have any. */
  get size(): number {
    return this.#counts.size
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, change: number): void {
    const next = this.of(key) + change
    if (next === 0) this.#counts.delete(key)
    else this.#counts.set(key, next)
  }
}
