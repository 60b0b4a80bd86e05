import type { Socket } from 'node:net'
import { clientNetwork } from '../domain/client-network.ts'

export interface SessionLimits {
  /** Sessions at once, of all clients together. */
  readonly sessionsMax: number
  /** Of one client: its IPv4 address, or the /64 of its IPv6 address. */
  readonly sessionsPerClientMax: number
  /** How long a session may last, whatever it does. */
  readonly sessionMsMax: number
  /** With how many recipients who are not here a session is ended. */
  readonly rejectionsMax: number
  /** What all sessions together may have of messages that are not taken yet. */
  readonly heldBytesMax: number
}

/** A mail server opens twenty connections to one place at most, unless it is told otherwise, and keeps them for minutes. */
export const usualSessionLimits: SessionLimits = {
  sessionsMax: 100,
  sessionsPerClientMax: 20,
  sessionMsMax: 600_000,
  rejectionsMax: 10,
  heldBytesMax: 64 * 1024 * 1024,
}

/** Counts connections, so that no client takes all of them. */
export class SessionCount {
  readonly #limits: SessionLimits
  readonly #perClient = new Map<string, number>()
  #all = 0

  constructor(limits: SessionLimits) {
    this.#limits = limits
  }

  /** Whether one more connection may be had; it counts until it is closed. */
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
