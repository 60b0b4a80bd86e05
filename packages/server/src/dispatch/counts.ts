/** How many keys without any are remembered at least: most of them soon have some again. */
const emptyKept = 10_000

/** How many there are for each key; of keys without any no more are remembered than there are others, or ten thousand. */
export class Counts {
  /** What is counted lies beside the map, so that a change looks its key up once. */
  readonly #counts = new Map<string, { value: number }>()
  #size = 0

  /** Keys that have any. */
  get size(): number {
    return this.#size
  }

  of(key: string): number {
    return this.#counts.get(key)?.value ?? 0
  }

  add(key: string, change: number): void {
    const count = this.#counts.get(key) ?? this.#enter(key)
    const before = count.value
    count.value += change
    this.#size += Number(count.value !== 0) - Number(before !== 0)
    if (this.#counts.size - this.#size > Math.max(emptyKept, this.#size)) this.#forgetEmpty()
  }

  #enter(key: string): { value: number } {
    const count = { value: 0 }
    this.#counts.set(key, count)
    return count
  }

  #forgetEmpty(): void {
    for (const [key, count] of this.#counts) if (count.value === 0) this.#counts.delete(key)
  }
}
