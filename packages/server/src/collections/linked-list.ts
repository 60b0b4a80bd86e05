/**
 * A doubly linked list. Use it for items that come and go thousands of times a second: an old Map keeps removed items alive until
 * a full garbage collection.
 */
export class LinkedList<Item> {
  #first: ListNode<Item> | null = null
  #last: ListNode<Item> | null = null
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The first node; `after` is the next one. */
  get first(): ListNode<Item> | null {
    return this.#first
  }

  append(item: Item): ListNode<Item> {
    const node = { item, before: null, after: null }
    this.#put(node)
    return node
  }

  /** @param node a node of this list that was not removed */
  toEnd(node: ListNode<Item>): void {
    if (this.#last === node) return
    this.remove(node)
    this.#put(node)
  }

  /** @param node a node of this list @returns false if it was removed before */
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

/** Only the list changes it. */
export interface ListNode<Item> {
  readonly item: Item
  before: ListNode<Item> | null
  after: ListNode<Item> | null
}
