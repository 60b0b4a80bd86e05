/** What is shorter waits for nobody: reports of a few outcomes are, but for one with an enormous outcome. */
export const longFromBytes = 128 * 1024

/** A report of a thousand outcomes, or two of half as many, of which one is read while the other is stored. */
const bytesMax = 640 * 1024

/**
 * Long reports are read a few at a time: what is read of one is thousands of objects, which live until it is stored. The others
 * wait as the bytes that came, which the garbage collector does not copy. Callers take turns, a report each.
 */
export class ReadingRoom {
  #bytes = 0
  /** By caller, in the order of their turns, oldest report first. */
  readonly #waiting = new Map<string, Waiting[]>()

  /**
   * Resolves when there is room for this report, which has it until what it resolves with is disposed.
   * @param bytes of any number: what is larger than the room has it alone
   */
  async enter(caller: string, bytes: number): Promise<Disposable> {
    if (this.#waiting.size === 0 && this.#fits(bytes)) return this.#admit(bytes)
    return await new Promise(resolve => {
      const line = this.#waiting.get(caller)
      const one = { bytes, resolve }
      if (line === undefined) this.#waiting.set(caller, [one])
      else line.push(one)
    })
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= bytesMax
  }

  #admit(bytes: number): Disposable {
    this.#bytes += bytes
    return {
      [Symbol.dispose]: () => {
        this.#bytes -= bytes
        this.#admitNext()
      },
    }
  }

  #admitNext(): void {
    for (const [caller, line] of this.#waiting) {
      const [first, ...later] = line
      if (first === undefined || !this.#fits(first.bytes)) return
      this.#waiting.delete(caller)
      if (later.length > 0) this.#waiting.set(caller, later)
      first.resolve(this.#admit(first.bytes))
    }
  }
}

interface Waiting {
  bytes: number
  resolve: (place: Disposable) => void
}
