import type { Socket } from 'node:net'
import type { Attempt } from './attempt.ts'
import type { Connection } from './connection.ts'
import { Handshake, type HandshakeTools } from './handshake.ts'
import type { Origin } from './origin.ts'

/**
 * The most connections to one origin that open at once. It equals an endpoint's default number of attempts in flight, so
 * an endpoint with its own host never waits for another endpoint's handshake.
 */
const handshakesMax = 20
/** The most idle connections to all origins together. */
const idleMax = 1_024
/** A connection is reused no longer than a DNS answer is cached. */
const ageMaxMs = 60_000
/** How long the first connection to an origin must stay quiet after an answer before it is reused. */
const quietMs = 100
const closeEveryMs = 500

/**
 * Gives each attempt a connection: an idle one, or the next that becomes idle or is opened. Attempts are served in order.
 * A handshake belongs to no attempt, so a handshake that hangs delays no attempt while others succeed.
 */
export class ConnectionPool {
  readonly sockets = new Set<Socket>()
  readonly #tools: HandshakeTools
  readonly #monotonicMs: () => number
  /** Origins with a handshake in progress. */
  readonly #opening = new Set<Origin>()
  readonly #connections = new Set<Connection>()
  #idleCount = 0
  #closeTimer: NodeJS.Timeout | undefined

  constructor(tools: Omit<HandshakeTools, 'sockets'>) {
    this.#tools = { ...tools, sockets: this.sockets }
    this.#monotonicMs = tools.monotonicMs
  }

  /** Calls `attempt.connected` or `attempt.notConnected`, at once or later. */
  connect(attempt: Attempt): void {
    const { origin } = attempt
    const idle = this.#takeIdle(origin)
    if (idle !== null) return attempt.connected(idle)
    origin.waiting.push(attempt)
    this.#openMore(origin)
  }

  /**
   * Ends an attempt's wait for a connection, and a handshake that no other attempt needs.
   * @returns the oldest handshake, which shows how far connecting got; null if the attempt was not waiting
   */
  leave(attempt: Attempt): Handshake | null {
    const { waiting, handshakes } = attempt.origin
    const place = waiting.indexOf(attempt)
    if (place < 0) return null
    waiting.splice(place, 1)
    const [oldest = null] = handshakes
    if (oldest !== null && handshakes.size > waiting.length) {
      this.#ended(oldest)
      oldest.cancel()
    }
    return oldest
  }

  /** Takes back a connection that can carry another request. */
  release(connection: Connection): void {
    const { origin } = connection
    if (origin.refusesReuse) connection.destroy()
    else if (origin.isQuiet) this.#keep(connection)
    // the timer may be late, so let the event loop poll the sockets once more
    else setTimeout(() => setImmediate(() => this.#keepIfQuiet(connection)), quietMs).unref()
  }

  /** All attempts that have not ended. */
  attempts(): Attempt[] {
    const waiting = Array.from(this.#opening).flatMap(origin => origin.waiting)
    const sent = Array.from(this.#connections).flatMap(({ attempt }) => attempt ?? [])
    return [...waiting, ...sent]
  }

  /** Cancels handshakes and closes all connections. */
  async close(): Promise<void> {
    clearInterval(this.#closeTimer)
    this.#tools.resolver.close()
    for (const { handshakes } of this.#opening) for (const handshake of handshakes) handshake.cancel()
    await Promise.all(
      Array.from(this.sockets, socket => new Promise<void>(closed => socket.once('close', closed).destroy())),
    )
  }

  #openMore(origin: Origin): void {
    const { handshakes, waiting } = origin
    while (handshakes.size < Math.min(handshakesMax, waiting.length)) {
      const handshake = new Handshake(origin, this.#tools)
      handshakes.add(handshake)
      this.#opening.add(origin)
      void handshake.open().then(
        connection => this.#opened(handshake, connection),
        (error: unknown) => this.#failed(handshake, error),
      )
    }
  }

  #opened(handshake: Handshake, connection: Connection): void {
    const { origin } = connection
    if (!this.#ended(handshake)) return connection.destroy()
    this.#connections.add(connection)
    connection.onceClosed(() => this.#forget(connection))
    this.#closeTimer ??= setInterval(() => this.#closeExpired(), closeEveryMs).unref()
    const first = origin.waiting.shift()
    if (first === undefined) this.#keep(connection)
    else first.connected(connection)
    this.#openMore(origin)
  }

  #failed(handshake: Handshake, error: unknown): void {
    if (!this.#ended(handshake)) return
    const { origin } = handshake
    // while there is a handshake for each attempt, the others may still succeed
    if (origin.waiting.length > origin.handshakes.size) origin.waiting.shift()?.notConnected(handshake, error)
    this.#openMore(origin)
  }

  /** @returns false if the handshake was cancelled */
  #ended(handshake: Handshake): boolean {
    const { origin } = handshake
    const wasInProgress = origin.handshakes.delete(handshake)
    if (origin.handshakes.size === 0) this.#opening.delete(origin)
    return wasInProgress
  }

  #keepIfQuiet(connection: Connection): void {
    const { origin } = connection
    if (connection.isClosed || origin.refusesReuse) return connection.destroy()
    origin.isQuiet = true
    this.#keep(connection)
  }

  #keep(connection: Connection): void {
    if (this.#idleCount >= idleMax) return connection.destroy()
    connection.becomeIdle(this.#monotonicMs())
    const { origin } = connection
    origin.idle.push(connection)
    this.#idleCount += 1
    const [first] = origin.waiting
    const idle = first === undefined ? null : this.#takeIdle(origin)
    if (idle === null) return
    origin.waiting.shift()
    first?.connected(idle)
  }

  /** Also closes idle connections that are too old. */
  #takeIdle({ idle, refusesReuse }: Origin): Connection | null {
    const nowMs = this.#monotonicMs()
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      this.#idleCount -= 1
      if (connection.isClosed) continue
      const isYoung = nowMs - connection.openedAtMs < ageMaxMs && nowMs < connection.idleUntilMs
      if (isYoung && !refusesReuse) return connection
      connection.destroy()
    }
    return null
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection)
    const { idle } = connection.origin
    const place = idle.lastIndexOf(connection)
    if (place < 0) return
    idle.splice(place, 1)
    this.#idleCount -= 1
  }

  #closeExpired(): void {
    const nowMs = this.#monotonicMs()
    for (const connection of this.#connections) if (nowMs >= connection.idleUntilMs) connection.destroy()
    if (this.#connections.size > 0) return
    clearInterval(this.#closeTimer)
    this.#closeTimer = undefined
  }
}
