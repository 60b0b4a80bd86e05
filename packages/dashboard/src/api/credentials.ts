/** Proves who is signed in: a cookie with a CSRF token or, in a frame, a bearer token. */
export class Credentials {
  #csrfToken: string | null = null
  #bearer: string | null = null
  #generation = 0
  #hasEnded = false
  #usedAtMs = 0
  readonly #listeners = new Set<() => void>()

  /** The session is in a cookie; requests that change something carry this CSRF token. */
  useCookie(csrfToken: string): void {
    this.#begin({ csrfToken, bearer: null })
  }

  /** The page is embedded, so the token stays in memory. */
  useBearer(accessToken: string): void {
    this.#begin({ csrfToken: null, bearer: accessToken })
  }

  /** True if the token is only in this page's memory, because the page is in a frame. */
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

  /** Records that the service accepted the credentials, which extends an idle session. */
  noteUse(): void {
    this.#usedAtMs = Date.now()
  }

  get usedAtMs(): number {
    return this.#usedAtMs
  }

  /** Changes when other credentials replace these. */
  get generation(): number {
    return this.#generation
  }

  /**
   * Records that the service refuses the credentials. The page stays as it is until somebody signs in again.
   * @param generation of the refused credentials: others may have replaced them before the answer came
   */
  end(generation: number): void {
    if (generation !== this.#generation) return
    this.#hasEnded = true
    this.#tell()
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Calls back when `hasEnded` may have changed; returns a function that stops this. */
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
