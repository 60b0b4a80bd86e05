import type { Queryable } from '../db/database.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { Holds } from './holds.ts'
import { type GivenBack, release } from './release.ts'

/** Gathers what this process took and will not start, and hands it back a batch at a time. */
export class GiveBack {
  readonly #db: Queryable
  readonly #processId: string
  readonly #holds: Holds
  readonly #onError: (error: unknown) => void
  #gathered: GivenBack[] = []

  constructor(db: Queryable, processId: string, holds: Holds, onError: (error: unknown) => void) {
    this.#db = db
    this.#processId = processId
    this.#holds = holds
    this.#onError = onError
  }

  add(...taken: readonly TakenDelivery[]): void {
    for (const one of taken) this.#gathered.push({ ...one, dueInMs: 0 })
  }

  /** It is to be due again only after a while. */
  postpone(taken: TakenDelivery, dueInMs: number): void {
    this.#gathered.push({ ...taken, dueInMs })
  }

  /** Hands back what was gathered, and answers it: it is due again in `dueInMs`. */
  async flush(): Promise<readonly GivenBack[]> {
    const given = this.#gathered
    this.#gathered = []
    if (given.length === 0) return given
    try {
      await release(this.#db, this.#processId, given)
      this.#holds.letGo(given)
      return given
    } catch (error) {
      // their leases run out by themselves
      this.#onError(error)
      return []
    }
  }
}
