import { Resolver } from 'node:dns/promises'

export interface DnsClientOptions {
  /** `address` or `address:port` each; null: those of the system. */
  readonly servers: readonly string[] | null
  /** For each try of a question. */
  readonly timeoutMs: number
  readonly tries: number
}

/**
 * Asks the DNS, so that what one name server answers is no matter to other questions. The resolver of the platform
 * ends all questions that share a socket when a malformed answer arrives on it, and whoever owns a domain can send
 * one: a question that ended so is asked again on a socket of its own. Answers and rejects like `node:dns`.
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

  /** For each record its strings, laid end to end. */
  async resolveTxt(name: string): Promise<string[]> {
    const records = await this.#ask(async resolver => await resolver.resolveTxt(name))
    return records.map(strings => strings.join(''))
  }

  async resolveMx(name: string): Promise<Array<{ priority: number; exchange: string }>> {
    return await this.#ask(async resolver => await resolver.resolveMx(name))
  }

  /** Ends the questions that are under way. */
  cancel(): void {
    for (const resolver of [this.#shared, ...this.#alone]) resolver.cancel()
  }

  async #ask<Answer>(question: (resolver: Resolver) => Promise<Answer>): Promise<Answer> {
    try {
      return await question(this.#shared)
    } catch (error) {
      if (!isMalformedAnswer(error)) throw error
    }
    const alone = this.#open()
    this.#alone.add(alone)
    try {
      return await question(alone)
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
