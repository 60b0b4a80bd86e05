import type { Attempt } from './attempt.ts'
import type { ClientCertificate } from './egress.ts'
import type { Connection } from './connection.ts'
import type { Handshake } from './handshake.ts'

const reuseRefusedMs = 600_000

export interface OriginFacts {
  readonly isPermittedLoopback?: boolean
  readonly clientCertificate?: ClientCertificate | null
}

/** Scheme, host, port and client certificate, with the state that all attempts to this origin share. */
export class Origin {
  readonly href: string
  /** The value of `Host`, with the port if it is not the scheme's default. */
  readonly authority: string
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** The operator permitted this loopback address, so the policy does not apply. */
  readonly isPermittedLoopback: boolean
  /** Shown to a server that asks for one. */
  readonly clientCertificate: ClientCertificate | null
  /** The last one is reused first, so that surplus connections stay idle and expire. */
  readonly idle: Connection[] = []
  /** Attempts without a connection, oldest first. */
  readonly waiting: Attempt[] = []
  /** Connections being opened, oldest first. */
  readonly handshakes = new Set<Handshake>()
  /**
   * A connection stayed quiet after an answer. Until then none is reused, because an unrequested answer that arrives after
   * the next request was written would count as its answer.
   */
  isQuiet = false
  readonly #monotonicMs: () => number
  #reuseRefusedUntilMs = Number.NEGATIVE_INFINITY

  constructor(url: URL, monotonicMs: () => number, facts: OriginFacts = {}) {
    this.href = url.origin
    this.authority = url.host
    this.secure = url.protocol === 'https:'
    this.host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
    this.port = url.port === '' ? (this.secure ? 443 : 80) : Number(url.port)
    this.isPermittedLoopback = facts.isPermittedLoopback ?? false
    this.clientCertificate = facts.clientCertificate ?? null
    this.#monotonicMs = monotonicMs
  }

  get refusesReuse(): boolean {
    return this.#monotonicMs() < this.#reuseRefusedUntilMs
  }

  /** Gives each request its own connection for ten minutes, because reusing one went wrong. */
  refuseReuse(): void {
    this.isQuiet = false
    this.#reuseRefusedUntilMs = this.#monotonicMs() + reuseRefusedMs
  }
}
