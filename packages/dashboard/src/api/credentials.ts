/** What proves who is signed in: a cookie with a token against forged requests, or, in a frame, a bearer token. */
export class Credentials {
  #csrfToken: string | null = null
  #bearer: string | null = null

  /** The session lives in a cookie; requests that change something carry this token. */
  useCookie(csrfToken: string): void {
    this.#csrfToken = csrfToken
    this.#bearer = null
  }

  /** The page is embedded: the token is kept in memory alone. */
  useBearer(accessToken: string): void {
    this.#bearer = accessToken
    this.#csrfToken = null
  }

  /** True when the token lives in this page's memory alone, because the page stands in a frame. */
  get isEmbedded(): boolean {
    return this.#bearer !== null
  }

  forget(): void {
    this.#csrfToken = null
    this.#bearer = null
  }

  headersFor(method: string): Record<string, string> {
    if (this.#bearer !== null) return { authorization: `Bearer ${this.#bearer}` }
    return method === 'GET' || this.#csrfToken === null ? {} : { 'x-csrf-token': this.#csrfToken }
  }
}
