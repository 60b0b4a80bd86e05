/** A binary heap of items by due time, earliest first. */
export class TimerHeap<Item> {
  readonly #entries: Array<Entry<Item>> = []

  get size(): number {
    return this.#entries.length
  }

  /** When the soonest is due, by the clock of `add`; infinite if there is none. */
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

  /** Removes and returns what is due by now, in order. */
  removeUntil(nowMs: number): Item[] {
    const removed: Item[] = []
    while (this.firstAtMs <= nowMs) removed.push(this.#removeFirst())
    return removed
  }

  #removeFirst(): Item {
    const entries = this.#entries
    const [first] = entries as [Entry<Item>]
    const last = entries.pop() as Entry<Item>
    if (entries.length > 0) this.#siftDown(last)
    return first.item
  }

  /** Puts an entry at the root, or below entries that are sooner. */
  #siftDown(entry: Entry<Item>): void {
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

/** Infinite beyond the end of the array. */
function atMsOf(entry: Entry<unknown> | undefined): number {
  return entry?.atMs ?? Number.POSITIVE_INFINITY
}
