import type { Socket } from 'node:net'
import { clientNetwork } from '../domain/client-network.ts'

export interface SessionLimits {
  /** Concurrent sessions of all clients. */
  readonly sessionsMax: number
  /** Concurrent sessions of one client: an IPv4 address, or the /64 of an IPv6 address. */
  readonly sessionsPerClientMax: number
  /** The maximum duration of a session. */
  readonly sessionMsMax: number
  /** How many unknown recipients a session may name before it is closed. */
  readonly rejectionsMax: number
  /** The maximum size of all unfinished messages in memory. */
  readonly heldBytesMax: number
}

/** By default, mail servers open at most twenty connections to one destination and keep them for minutes. */
export const usualSessionLimits: SessionLimits = {
  sessionsMax: 100,
  sessionsPerClientMax: 20,
  sessionMsMax: 600_000,
  rejectionsMax: 10,
  heldBytesMax: 64 * 1024 * 1024,
}

/** Counts connections, so that one client cannot use all of them. */
export class SessionCount {
  readonly #limits: SessionLimits
  readonly #perClient = new Map<string, number>()
  #all = 0

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  /** Whether the client may open one more connection; the connection counts until it closes. */
  admit(socket: Socket): boolean {
    const client = clientNetwork(socket.remoteAddress ?? '')
    const open = this.#perClient.get(client) ?? 0
    if (this.#all >= this.#limits.sessionsMax || open >= this.#limits.sessionsPerClientMax) return false
    this.#all += 1
    this.#perClient.set(client, open + 1)
    socket.once('close', () => {
      this.#all -= 1
      const left = (this.#perClient.get(client) ?? 1) - 1
      if (left === 0) this.#perClient.delete(client)
      else this.#perClient.set(client, left)
    })
    return true
  }
}
