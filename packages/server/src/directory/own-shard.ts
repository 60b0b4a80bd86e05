import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { readInstallation } from './read-installation.ts'

const knownMs = 1_000

/**
 * The number of this shard, as it was at most a second before the last request. Another process of the shard may have made it
 * join an installation.
 */
export class OwnShard {
  readonly #db: Pick<Queryable, 'query'>
  readonly #clock: Pick<Clock, 'monotonicMs'>
  #number: number
  #readMs: number

  constructor(db: Pick<Queryable, 'query'>, clock: Pick<Clock, 'monotonicMs'>, number: number) {
    this.#db = db
    this.#clock = clock
    this.#number = number
    this.#readMs = clock.monotonicMs()
  }

  /** Answers at once, and reads it again for the next request. */
  number(): number {
    const nowMs = this.#clock.monotonicMs()
    if (nowMs - this.#readMs >= knownMs) {
      this.#readMs = nowMs
      // without the database, it cannot have changed
      this.lookAgain().catch(() => {})
    }
    return this.#number
  }

  async lookAgain(): Promise<void> {
    this.#number = (await readInstallation(this.#db)).shard
  }
}
