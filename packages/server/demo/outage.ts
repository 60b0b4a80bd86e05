import type { Arrival } from './receiver.ts'

/** An outage of a receiver. It ends after six failed attempts, when an event reaches its third attempt. */
export class Outage {
  isOver = false
  #refusedCount = 0
  readonly #onRecovery: () => void

  constructor(onRecovery: () => void) {
    this.#onRecovery = onRecovery
  }

  /** The receiver's answer to an attempt. */
  statusFor({ attempt }: Arrival): number {
    if (!this.isOver && this.#refusedCount >= 6 && attempt >= 3) {
      this.isOver = true
      this.#onRecovery()
    }
    if (this.isOver) return 200
    this.#refusedCount++
    return 503
  }
}
