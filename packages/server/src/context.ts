import type { Database } from './db/database.ts'

/** What a verb needs besides its input: where data lives, what time it is, where chance comes from. */
export interface Ctx {
  readonly db: Database
  readonly clock: Clock
  readonly random: Random
}

export interface Clock {
  /** Milliseconds since the epoch by this process's clock. */
  nowMs(): number
  /** Milliseconds that only run forward, for durations and deadlines. */
  monotonicMs(): number
}

export interface Random {
  /** Uniform in [0, 1): backoff jitter. */
  fraction(): number
  /** Cryptographic random bytes: secrets and ids. */
  bytes(length: number): Uint8Array
}
