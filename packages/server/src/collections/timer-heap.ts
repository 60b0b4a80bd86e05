/** Items by the moment at which they are due, the soonest first: a binary heap. */
export class TimerHeap<Item> {
  readonly #entries: Array<Entry<Item>> = []

  get size(): number {
    return this.#entries.length
  }

  /** When the soonest is due, in milliseconds of the clock that `add` was given; infinite when there is none. */
  get firstAtMs(): number {
    return this.#entries[0]?.atMs ?? Number.POSITIVE_INFINITY
  }

  add(atMs: number, item: Item): void {
    const entries = this.#entries
    const entry = { atMs, item }
    let at = entries.push(entry) - 1
    for (let parent = (at - 1) >> 1; at > 0 && atMs < atMsOf(entries[parent]); parent = (at - 1) >> 1) {
      entries[at] = entries[parent] as Entry<Item>
      at = parent
    }
    entries[at] = entry
  }

  /** Takes out what is due by now, in order. */
  takeUntil(nowMs: number): Item[] {
    const taken: Item[] = []
    while (this.firstAtMs <= nowMs) taken.push(this.#takeFirst())
    return taken
  }

  #takeFirst(): Item {
    const entries = this.#entries
    const [first] = entries as [Entry<Item>]
    const last = entries.pop() as Entry<Item>
    if (entries.length > 0) this.#sink(last)
    return first.item
  }

  /** Puts an entry in the place of the first, or below those that are sooner. */
  #sink(entry: Entry<Item>): void {
    const entries = this.#entries
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const sooner = atMsOf(entries[left + 1]) < atMsOf(entries[left]) ? left + 1 : left
      if (atMsOf(entries[sooner]) >= entry.atMs) break
      entries[at] = entries[sooner] as Entry<Item>
      at = sooner
    }
    entries[at] = entry
  }
}

interface Entry<Item> {
  readonly atMs: number
  readonly item: Item
}

/** Beyond the end nothing is ever due. */
function atMsOf(entry: Entry<unknown> | undefined): number {
  return entry?.atMs ?? Number.POSITIVE_INFINITY
}
