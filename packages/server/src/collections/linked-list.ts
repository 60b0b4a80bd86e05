/**
 * A doubly linked list: items in the order in which they came, each of which may leave at any time. For what comes and goes
 * thousands of times a second: a Map that grows old keeps what was in it alive until a full garbage collection.
 */
export class LinkedList<Item> {
  #first: ListNode<Item> | null = null
  #last: ListNode<Item> | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The node of the first item; `after` leads on from it. */
  get first(): ListNode<Item> | null {
    return this.#first
  }

  /** The items that are in the list now. */
  items(): Item[] {
    const items: Item[] = []
    for (let node = this.#first; node !== null; node = node.after) items.push(node.item)
    return items
  }

  append(item: Item): ListNode<Item> {
    const node = { item, before: null, after: null }
    this.#put(node)
    return node
  }

  /** @param node one of this list that was not removed */
  toEnd(node: ListNode<Item>): void {
    if (this.#last === node) return
    this.remove(node)
    this.#put(node)
  }

  /** @param node one of this list @returns false if it was removed before */
  remove(node: ListNode<Item>): boolean {
    if (node.before === null && this.#first !== node) return false
    if (node.before === null) this.#first = node.after
    else node.before.after = node.after
    if (node.after === null) this.#last = node.before
    else node.after.before = node.before
    node.before = node.after = null
    this.#size -= 1
    return true
  }

  #put(node: ListNode<Item>): void {
    node.before = this.#last
    if (this.#last === null) this.#first = node
    else this.#last.after = node
    this.#last = node
    this.#size += 1
  }
}

/** An item in its list; only the list changes it. */
export interface ListNode<Item> {
  readonly item: Item
  before: ListNode<Item> | null
  after: ListNode<Item> | null
}
