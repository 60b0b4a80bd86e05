/** What proves who is signed in: a cookie with a token against forged requests, or, in a frame, a bearer token. */
export class Credentials {
  #csrfToken: string | null = null
  #bearer: string | null = null
  #generation = 0
  #hasEnded = false
  #usedAtMs = 0
  readonly #listeners = new Set<() => void>()

  /** The session lives in a cookie; requests that change something carry this token. */
  useCookie(csrfToken: string): void {
    this.#begin({ csrfToken, bearer: null })
  }

  /** The page is embedded: the token is kept in memory alone. */
  useBearer(accessToken: string): void {
    this.#begin({ csrfToken: null, bearer: accessToken })
  }

  /** True when the token lives in this page's memory alone, because the page stands in a frame. */
  get isEmbedded(): boolean {
    return this.#bearer !== null
  }

  forget(): void {
    this.#begin({ csrfToken: null, bearer: null })
  }

  headersFor(method: string): Record<string, string> {
    if (this.#bearer !== null) return { authorization: `Bearer ${this.#bearer}` }
    return method === 'GET' || this.#csrfToken === null ? {} : { 'x-csrf-token': this.#csrfToken }
  }

  /** The service took them, which puts off the end of a session that is not used. */
  noteUse(): void {
    this.#usedAtMs = Date.now()
  }

  get usedAtMs(): number {
    return this.#usedAtMs
  }

  /** Changes whenever others take the place of these. */
  get generation(): number {
    return this.#generation
  }

  /**
   * The service takes them no more. What stands on the page stays, until somebody signs in again.
   * @param generation of those that were refused: an answer may come when others are here already
   */
  end(generation: number): void {
    if (generation !== this.#generation) return
    this.#hasEnded = true
    this.#tell()
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Calls back when `hasEnded` may have changed; returns how to stop that. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #begin({ csrfToken, bearer }: { csrfToken: string | null; bearer: string | null }): void {
    this.#csrfToken = csrfToken
    this.#bearer = bearer
    this.#generation++
    this.#hasEnded = false
    this.#tell()
  }

  #tell(): void {
    for (const listener of this.#listeners) listener()
  }
}
