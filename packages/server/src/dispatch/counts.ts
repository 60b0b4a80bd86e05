/** How many keys without any are remembered at least: most of them soon have some again. */
const emptyKept = 1_000

/** How many there are for each key; of keys without any no more are remembered than there are others, or a thousand. */
export class Counts {
  readonly #counts = new Map<string, number>()
  #size = 0

  /** Keys that have any. */
  get size(): number {
    return this.#size
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  add(key: string, change: number): void {
    const before = this.of(key)
    const next = before + change
    this.#counts.set(key, next)
    this.#size += Number(next !== 0) - Number(before !== 0)
    if (this.#counts.size - this.#size > Math.max(emptyKept, this.#size)) this.#forgetEmpty()
  }

  #forgetEmpty(): void {
    for (const [key, count] of this.#counts) if (count === 0) this.#counts.delete(key)
  }
}
