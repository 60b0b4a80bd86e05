import type { ServerResponse } from 'node:http'

/** Shorter ones cost no more than their connection. */
const longFrom = 16 * 1024

/** In characters, of all answers that wait to be read: a few of the longest lists. */
const unreadMax = 64 * 1024 * 1024

/**
 * The long answers that their clients have not read yet, each of which is held in memory. When they become too many,
 * those that wait the longest are given up with their connections. What is sent from a shared buffer, such as a file,
 * is not among them.
 */
export class UnreadAnswers {
  readonly #max: number
  /** Oldest first. */
  readonly #lengths = new Map<ServerResponse, number>()
  #total = 0

  constructor(max = unreadMax) {
    this.#max = max
  }

  /** Counts an answer until its client has it, or is gone. */
  add(response: ServerResponse, payload: unknown): void {
    if (typeof payload !== 'string' || payload.length < longFrom || response.destroyed) return
    this.#lengths.set(response, payload.length)
    this.#total += payload.length
    response.once('close', () => this.#remove(response))
    for (const oldest of this.#lengths.keys()) {
      if (this.#total <= this.#max || oldest === response) break
      this.#remove(oldest)
      oldest.destroy()
    }
  }

  #remove(response: ServerResponse): void {
    this.#total -= this.#lengths.get(response) ?? 0
    this.#lengths.delete(response)
  }
}
