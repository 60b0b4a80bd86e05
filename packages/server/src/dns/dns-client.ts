import { Resolver } from 'node:dns/promises'

export interface DnsClientOptions {
  /** Each is `address` or `address:port`; null for those of the system. */
  readonly servers: readonly string[] | null
  /** For each try of a query. */
  readonly timeoutMs: number
  readonly tries: number
}

/**
 * A DNS client that isolates queries from each other. When a malformed answer arrives, Node's resolver fails all queries
 * on the same socket, and any domain owner can send such an answer. So the client repeats these queries on their own
 * sockets. It resolves and rejects like `node:dns`.
 */
export class DnsClient {
  readonly #options: DnsClientOptions
  readonly #shared: Resolver
  readonly #alone = new Set<Resolver>()

  constructor(options: DnsClientOptions) {
    this.#options = options
    this.#shared = this.#open()
  }

  async resolve4(host: string): Promise<string[]> {
    return await this.#ask(async resolver => await resolver.resolve4(host))
  }

  async resolve6(host: string): Promise<string[]> {
    return await this.#ask(async resolver => await resolver.resolve6(host))
  }

  /** The strings of each record, concatenated. */
  async resolveTxt(name: string): Promise<string[]> {
    const records = await this.#ask(async resolver => await resolver.resolveTxt(name))
    return records.map(strings => strings.join(''))
  }

  async resolveMx(name: string): Promise<Array<{ priority: number; exchange: string }>> {
    return await this.#ask(async resolver => await resolver.resolveMx(name))
  }

  async resolveCname(name: string): Promise<string[]> {
    return await this.#ask(async resolver => await resolver.resolveCname(name))
  }

  /** Cancels all pending queries. */
  cancel(): void {
    for (const resolver of [this.#shared, ...this.#alone]) resolver.cancel()
  }

  async #ask<Answer>(query: (resolver: Resolver) => Promise<Answer>): Promise<Answer> {
    try {
      return await query(this.#shared)
    } catch (error) {
      if (!isMalformedAnswer(error)) throw error
    }
    const alone = this.#open()
    this.#alone.add(alone)
    try {
      return await query(alone)
    } finally {
      this.#alone.delete(alone)
    }
  }

  #open(): Resolver {
    const { servers, timeoutMs, tries } = this.#options
    const resolver = new Resolver({ timeout: timeoutMs, tries })
    if (servers !== null) resolver.setServers(servers)
    return resolver
  }
}

function isMalformedAnswer(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EBADRESP'
}
