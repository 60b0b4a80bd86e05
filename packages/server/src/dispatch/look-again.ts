/** Looks again in a moment at what had to wait for its time: once, however many have to. */
export class LookAgain {
  readonly #soon: (wake: () => void) => void
  readonly #look: () => void
  #isDue = false

  /** @param soon calls back in a moment */
  constructor(soon: (wake: () => void) => void, look: () => void) {
    this.#soon = soon
    this.#look = look
  }

  mustWait(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#soon(() => {
      this.#isDue = false
      this.#look()
    })
  }
}
