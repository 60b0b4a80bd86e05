/**
 * Holds all requests that the page makes by itself (polls, lists, code chunks) while a secret is typed. Requests
 * that somebody starts, such as signing out, still go out.
 */
export class Silence {
  #holders = 0
  readonly #listeners = new Set<() => void>()

  get isHeld(): boolean {
    return this.#holders > 0
  }

  /** Holds requests until the returned function is called. */
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

  /** Calls back when silence begins and ends; returns a function that stops this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Resolves when nothing holds silence.
   * @throws the signal's reason, if that comes first
   */
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
