/**
 * Things in the order in which they came, each of which may leave at any time.
 *
 * For what comes and goes thousands of times a second, in place of a Map or Set: when one of those is filled anew, its old
 * table points to the new one and to what was in it. A table that has grown old thus keeps all that come after it alive,
 * with everything they hold, until all memory is collected.
 */
export class Line<Item> {
  #first: Place<Item> | null = null
  #last: Place<Item> | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The place of the one that came first; `after` leads on from it. */
  get first(): Place<Item> | null {
    return this.#first
  }

  /** Those that are in line now. */
  items(): Item[] {
    const items: Item[] = []
    for (let place = this.#first; place !== null; place = place.after) items.push(place.item)
    return items
  }

  append(item: Item): Place<Item> {
    const place = { item, before: null, after: null }
    this.#put(place)
    return place
  }

  /** @param place one of this line that was not removed */
  toEnd(place: Place<Item>): void {
    if (this.#last === place) return
    this.remove(place)
    this.#put(place)
  }

  /** The place leads nowhere afterwards. @param place one of this line @returns false when it was removed before */
  remove(place: Place<Item>): boolean {
    if (place.before === null && this.#first !== place) return false
    if (place.before === null) this.#first = place.after
    else place.before.after = place.after
    if (place.after === null) this.#last = place.before
    else place.after.before = place.before
    place.before = place.after = null
    this.#size -= 1
    return true
  }

  #put(place: Place<Item>): void {
    place.before = this.#last
    if (this.#last === null) this.#first = place
    else this.#last.after = place
    this.#last = place
    this.#size += 1
  }
}

/** Where something stands in its line; changed by the line alone. */
export interface Place<Item> {
  readonly item: Item
  before: Place<Item> | null
  after: Place<Item> | null
}
