/**
 * Keeps what the page asks by itself (polls, lists, chunks of pages) from leaving while something was typed that must
 * stay here. What somebody presses for, such as signing out, goes through.
 */
export class Silence {
  #holders = 0
  readonly #listeners = new Set<() => void>()

  get isHeld(): boolean {
    return this.#holders > 0
  }

  /** From now on nothing leaves, until the function that this returns is called. */
  hold(): () => void {
    let holds = true
    this.#holders++
    this.#tell()
    return () => {
      if (!holds) return
      holds = false
      this.#holders--
      this.#tell()
    }
  }

  /** Calls when it begins and when it ends; gives back the way to stop listening. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves once nobody holds it. @throws the signal's reason, when that comes first */
  async over(signal?: AbortSignal): Promise<void> {
    while (this.isHeld) {
      await new Promise<void>((resolve, reject) => {
        const stop = this.subscribe(() => {
          stop()
          signal?.removeEventListener('abort', giveUp)
          resolve()
        })
        const giveUp = (): void => {
          stop()
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', giveUp, { once: true })
        if (signal?.aborted === true) giveUp()
      })
    }
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
