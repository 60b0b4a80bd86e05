import { Line } from '../domain/line.ts'
import type { Connection } from './connection.ts'
import type { Origin } from './origin.ts'

const ageMaxMs = 60_000
/** In all; that many of one origin may be idle for a moment, because a dispatcher works in batches. */
const idleMax = 1_024
const sweepMs = 500

/** Open connections between two requests. Who waited too long is closed, sooner than the receiver would. */
export class IdleConnections {
  readonly #monotonicMs: () => number
  readonly #all = new Line<Connection>()
  #sweep: NodeJS.Timeout | undefined

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** The one that was used last, or null. Old ones are closed: an address is good for as long as its DNS answer is. */
  take(origin: Origin): Connection | null {
    const nowMs = this.#monotonicMs()
    for (;;) {
      const connection = origin.idle.pop()
      if (connection === undefined) return null
      this.#leave(connection)
      if (connection.gone) continue
      const isYoung = nowMs - connection.openedAtMs < ageMaxMs && nowMs < connection.idleUntilMs
      if (isYoung && !origin.reuse.isRefused) return connection
      connection.destroy()
    }
  }

  keep(connection: Connection): void {
    connection.rest(this.#monotonicMs())
    if (this.#all.size >= idleMax) return connection.destroy()
    connection.origin.idle.push(connection)
    connection.idlePlace = this.#all.append(connection)
    this.#sweep ??= setInterval(() => this.#closeOld(), sweepMs).unref()
  }

  forget(connection: Connection): void {
    if (!this.#leave(connection)) return
    const { idle } = connection.origin
    idle.splice(idle.lastIndexOf(connection), 1)
  }

  /** Closes nothing, and looks after none of them any more. */
  close(): void {
    clearInterval(this.#sweep)
  }

  #leave(connection: Connection): boolean {
    if (connection.idlePlace === null) return false
    this.#all.remove(connection.idlePlace)
    connection.idlePlace = null
    return true
  }

  #closeOld(): void {
    const nowMs = this.#monotonicMs()
    for (const connection of this.#all.items()) if (nowMs >= connection.idleUntilMs) connection.destroy()
    if (this.#all.size > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }
}
