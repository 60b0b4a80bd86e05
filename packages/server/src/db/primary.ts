import { DatabaseReadOnlyError, DatabaseUnavailableError } from './database.ts'
import { hostOf } from './split-hosts.ts'

/** The one of several hosts that accepts writes. It stays the same until it refuses and another one is found. */
export class Primary {
  readonly #urls: readonly string[]
  readonly #check: (url: string) => Promise<void>
  readonly #onMove = new Set<() => void>()
  #url: string
  #search: Promise<void> | undefined

  /** @param check connects to a host and rejects, with the reason, if it accepts no writes */
  constructor(urls: readonly [string, ...string[]], check: (url: string) => Promise<void>) {
    this.#urls = urls
    this.#url = urls[0]
    this.#check = check
  }

  get url(): string {
    return this.#url
  }

  /**
   * Checks the last primary, then the other hosts, and keeps the first that accepts writes. Calls during a search share it,
   * so that an outage costs each host one connection at a time instead of one for each request.
   * @throws DatabaseUnavailableError with a reason for each host
   */
  async find(): Promise<void> {
    this.#search ??= this.#checkAll().finally(() => {
      this.#search = undefined
    })
    await this.#search
  }

  /** Calls `moved` each time another host becomes the primary, until disposed. */
  onMove(moved: () => void): Disposable {
    this.#onMove.add(moved)
    return { [Symbol.dispose]: () => this.#onMove.delete(moved) }
  }

  async #checkAll(): Promise<void> {
    const reasons: string[] = []
    let isReadOnly = false
    for (const url of [this.#url, ...this.#urls.filter(one => one !== this.#url)]) {
      try {
        await this.#check(url)
        this.#keep(url)
        return
      } catch (error) {
        isReadOnly ||= error instanceof DatabaseReadOnlyError
        reasons.push(`${hostOf(url)}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    throw new (isReadOnly ? DatabaseReadOnlyError : DatabaseUnavailableError)(
      `no host in DATABASE_URL takes writes (${reasons.join('; ')}): if another server is the primary, name it there; if none is, promote one`,
    )
  }

  #keep(url: string): void {
    if (url === this.#url) return
    this.#url = url
    for (const moved of this.#onMove) moved()
  }
}
