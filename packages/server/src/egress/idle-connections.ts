import type { Connection } from './connection.ts'
import type { Origin } from './origin.ts'

const ageMaxMs = 60_000
// A dispatcher works in batches, so all of an origin's connections may be idle for a moment between two of them.
// What is really too many closes by itself after some seconds at the bottom of the stack.
const perOriginMax = 256
const totalMax = 1_024

/** Open connections between two requests. */
export class IdleConnections {
  #count = 0

  /** The one that was used last, or null. Old ones are closed: an address is good for as long as its DNS answer is. */
  take(origin: Origin, nowMs: number): Connection | null {
    for (;;) {
      const connection = origin.idle.pop()
      if (connection === undefined) return null
      this.#count -= 1
      if (connection.gone) continue
      if (nowMs - connection.openedAtMs < ageMaxMs) return connection
      connection.destroy()
    }
  }

  keep(connection: Connection): void {
    const { idle } = connection.origin
    if (idle.length >= perOriginMax || this.#count >= totalMax) return connection.destroy()
    idle.push(connection)
    this.#count += 1
  }

  forget(connection: Connection): void {
    const { idle } = connection.origin
    const index = idle.lastIndexOf(connection)
    if (index === -1) return
    idle.splice(index, 1)
    this.#count -= 1
  }
}
