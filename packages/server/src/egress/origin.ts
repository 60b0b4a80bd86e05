import type { Attempt } from './attempt.ts'
import type { Connection } from './connection.ts'
import type { Handshake } from './handshake.ts'

const reuseRefusedMs = 600_000

/** Scheme, host and port, with the state that all attempts at it share. */
export class Origin {
  readonly href: string
  /** The value of `Host`: it has the port only if that is not the scheme's default. */
  readonly authority: string
  readonly secure: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** The host is the one address that is connected to, whatever the policy says of it. */
  readonly isPermittedLoopback: boolean
  /** The one used last comes last and is taken first, so that those beyond the need grow old. */
  readonly idle: Connection[] = []
  /** Attempts without a connection, oldest first. */
  readonly waiting: Attempt[] = []
  /** Connections being opened, oldest first. */
  readonly handshakes = new Set<Handshake>()
  /**
   * A connection stayed quiet after an answer. Before that none is reused: an unrequested answer that arrives after the
   * next request was written looks like the right one.
   */
  isQuiet = false
  readonly #monotonicMs: () => number
  #reuseRefusedUntilMs = Number.NEGATIVE_INFINITY

  constructor(url: URL, monotonicMs: () => number, isPermittedLoopback = false) {
    this.href = url.origin
    this.authority = url.host
    this.secure = url.protocol === 'https:'
    this.host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
    this.port = url.port === '' ? (this.secure ? 443 : 80) : Number(url.port)
    this.isPermittedLoopback = isPermittedLoopback
    this.#monotonicMs = monotonicMs
  }

  get refusesReuse(): boolean {
    return this.#monotonicMs() < this.#reuseRefusedUntilMs
  }

  /** For ten minutes each request gets its own connection, because the receiver sent unrequested bytes or closed unannounced. */
  refuseReuse(): void {
    this.isQuiet = false
    this.#reuseRefusedUntilMs = this.#monotonicMs() + reuseRefusedMs
  }
}
