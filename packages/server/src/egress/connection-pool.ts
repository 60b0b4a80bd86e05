import type { Socket } from 'node:net'
import type { Attempt } from './attempt.ts'
import type { Connection } from './connection.ts'
import { Handshake, type HandshakeTools } from './handshake.ts'
import type { Origin } from './origin.ts'

/**
 * How many connections to one origin may be opening at once: as many attempts as an endpoint makes at once by default,
 * so an endpoint with a host of its own never waits for another handshake.
 */
const handshakesMax = 20
/** How many connections may be idle, to all origins together. */
const idleMax = 1_024
/** An address is good for as long as its DNS answer. */
const ageMaxMs = 60_000
/** How long the first connection to an origin has to stay quiet after an answer before it is reused. */
const quietMs = 100
const sweepMs = 500

/**
 * Gives each attempt a connection: an idle one, or the first that becomes idle or is opened. Attempts get them in the
 * order in which they came. A handshake belongs to no attempt, so one that hangs delays nobody while others go on.
 */
export class ConnectionPool {
  readonly sockets = new Set<Socket>()
  readonly #tools: HandshakeTools
  readonly #monotonicMs: () => number
  /** Origins with a handshake under way. */
  readonly #opening = new Set<Origin>()
  readonly #connections = new Set<Connection>()
  #idleCount = 0
  #sweep: NodeJS.Timeout | undefined

  constructor(tools: Omit<HandshakeTools, 'sockets'>) {
    this.#tools = { ...tools, sockets: this.sockets }
    this.#monotonicMs = tools.monotonicMs
  }

  /** Calls `attempt.connected` or `attempt.notConnected`, now or later. */
  connect(attempt: Attempt): void {
    const { origin } = attempt
    const idle = this.#takeIdle(origin)
    if (idle !== null) return attempt.connected(idle)
    origin.waiting.push(attempt)
    this.#openMore(origin)
  }

  /**
   * Ends an attempt's wait for a connection, and a handshake that no other attempt needs.
   * @returns the oldest handshake, which shows how far connecting has come; null if the attempt was not waiting
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

  /** Takes back a connection that is fit for another request. */
  release(connection: Connection): void {
    const { origin } = connection
    if (origin.refusesReuse) connection.destroy()
    else if (origin.isQuiet) this.#keep(connection)
    // the immediate lets the event loop look at the sockets once more, however late the timer is
    else setTimeout(() => setImmediate(() => this.#keepIfQuiet(connection)), quietMs).unref()
  }

  /** All attempts that have not ended. */
  attempts(): Attempt[] {
    const waiting = Array.from(this.#opening).flatMap(origin => origin.waiting)
    const sent = Array.from(this.#connections).flatMap(({ attempt }) => attempt ?? [])
    return [...waiting, ...sent]
  }

  /** Ends what is being opened, and closes what is open. */
  async close(): Promise<void> {
    clearInterval(this.#sweep)
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
    connection.onceGone(() => this.#forget(connection))
    this.#sweep ??= setInterval(() => this.#closeOld(), sweepMs).unref()
    const first = origin.waiting.shift()
    if (first === undefined) this.#keep(connection)
    else first.connected(connection)
    this.#openMore(origin)
  }

  #failed(handshake: Handshake, error: unknown): void {
    if (!this.#ended(handshake)) return
    const { origin } = handshake
    // as long as there is a handshake for each attempt, the others may still get through
    if (origin.waiting.length > origin.handshakes.size) origin.waiting.shift()?.notConnected(handshake, error)
    this.#openMore(origin)
  }

  /** @returns false if the handshake was cancelled */
  #ended(handshake: Handshake): boolean {
    const { origin } = handshake
    const wasUnderWay = origin.handshakes.delete(handshake)
    if (origin.handshakes.size === 0) this.#opening.delete(origin)
    return wasUnderWay
  }

  #keepIfQuiet(connection: Connection): void {
    const { origin } = connection
    if (connection.gone || origin.refusesReuse) return connection.destroy()
    origin.isQuiet = true
    this.#keep(connection)
  }

  #keep(connection: Connection): void {
    if (this.#idleCount >= idleMax) return connection.destroy()
    connection.rest(this.#monotonicMs())
    const { origin } = connection
    origin.idle.push(connection)
    this.#idleCount += 1
    const [first] = origin.waiting
    const idle = first === undefined ? null : this.#takeIdle(origin)
    if (idle === null) return
    origin.waiting.shift()
    first?.connected(idle)
  }

  /** Closes connections that are too old on the way. */
  #takeIdle({ idle, refusesReuse }: Origin): Connection | null {
    const nowMs = this.#monotonicMs()
    for (let connection = idle.pop(); connection !== undefined; connection = idle.pop()) {
      this.#idleCount -= 1
      if (connection.gone) continue
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

  #closeOld(): void {
    const nowMs = this.#monotonicMs()
    for (const connection of this.#connections) if (nowMs >= connection.idleUntilMs) connection.destroy()
    if (this.#connections.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}
