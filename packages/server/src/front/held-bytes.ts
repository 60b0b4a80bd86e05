/** Counts the bytes of requests that the front keeps in memory, so that many large requests cannot fill it. */
export class HeldBytes {
  readonly #max: number
  #held = 0

  constructor(max = 128 * 1024 * 1024) {
    this.#max = max
  }

  /** Whether so many more bytes fit. Then they count until they are released. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#max) return false
    this.#held += bytes
    return true
  }

  release(bytes: number): void {
    this.#held -= bytes
  }
}
