import { DatabaseReadOnlyError, DatabaseUnavailableError } from './database.ts'
import { hostOf } from './split-hosts.ts'

/** Which of several hosts takes writes: the last that did, until it does not and another is found. */
export class Primary {
  readonly #urls: readonly string[]
  readonly #ask: (url: string) => Promise<void>
  readonly #onMove = new Set<() => void>()
  #url: string
  #search: Promise<void> | undefined

  /** @param ask connects to a host and rejects, with the reason, when it takes no writes */
  constructor(urls: readonly [string, ...string[]], ask: (url: string) => Promise<void>) {
    this.#urls = urls
    this.#url = urls[0]
    this.#ask = ask
  }

  get url(): string {
    return this.#url
  }

  /**
   * Asks the last good host, then the others, and stays with the first that takes writes. Whoever asks while a search is
   * under way waits for that one: an outage costs each host one connection at a time, not one for each request.
   * @throws DatabaseUnavailableError that says of each host why it is none
   */
  async find(): Promise<void> {
    this.#search ??= this.#askAll().finally(() => {
      this.#search = undefined
    })
    await this.#search
  }

  /** Calls `moved` each time another host becomes the one, until disposed. */
  onMove(moved: () => void): Disposable {
    this.#onMove.add(moved)
    return { [Symbol.dispose]: () => this.#onMove.delete(moved) }
  }

  async #askAll(): Promise<void> {
    const reasons: string[] = []
    let isReadOnly = false
    for (const url of [this.#url, ...this.#urls.filter(one => one !== this.#url)]) {
      try {
        await this.#ask(url)
        this.#stayWith(url)
        return
      } catch (error) {
        isReadOnly ||= error instanceof DatabaseReadOnlyError
        reasons.push(`${hostOf(url)}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    throw new (isReadOnly ? DatabaseReadOnlyError : DatabaseUnavailableError)(
      `no host in DATABASE_URL takes writes (${reasons.join('; ')}): promote one of them, or name the primary`,
    )
  }

  #stayWith(url: string): void {
    if (url === this.#url) return
    this.#url = url
    for (const moved of this.#onMove) moved()
  }
}
