import type { Arrival } from './receiver.ts'

/** A receiver's bad moment: over once six attempts were refused and one event is at its third. */
export class Outage {
  isOver = false
  #refusedCount = 0
  readonly #onRecovery: () => void

  constructor(onRecovery: () => void) {
    this.#onRecovery = onRecovery
  }

  /** What the receiver answers to an attempt. */
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
