import type { ServerResponse } from 'node:http'

/** Shorter responses do not count. */
const longFrom = 16 * 1024

/** The limit for all unread responses, in characters. */
const unreadMax = 64 * 1024 * 1024

/**
 * The long responses that clients have not read yet and that are still in memory. Above the limit, the oldest connections
 * are closed. Responses from a shared buffer, such as files, do not count.
 */
export class UnreadAnswers {
  readonly #max: number
  /** Oldest first. */
  readonly #lengths = new Map<ServerResponse, number>()
  #total = 0

  constructor(max = unreadMax) {
    this.#max = max
  }

  /** Counts a response until the client has read it or disconnects. */
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
