import { Counts } from './counts.ts'
import { touchesEndpoint } from './endpoint-changes.ts'
import { SettleLoop, type SettleLoopOptions } from './settle-loop.ts'
import type { Settlement } from './settle.ts'

/** Nobody waits for a success to be written; until it is, it takes a place in the queue, and would be sent again if the process died. */
const spacingMs = 50
/**
 * Where endpoints' rows are written: until that is committed whoever reports waits for the rows, and the other way round.
 * It is failures mostly, and nobody waits for them.
 */
const spacingOfTouchingMs = 100

/**
 * Writes results down, those that change nothing about their endpoints apart from those that do: beside a receiver that
 * fails all the time the others' results lock nobody's endpoint.
 */
export class Settler {
  readonly #usual: SettleLoop
  readonly #touching: SettleLoop
  /** Results not written yet that touch an endpoint's row, by endpoint: what follows them must not overtake them. */
  readonly #touched = new Counts()

  constructor(options: Omit<SettleLoopOptions, 'spacingMs'>) {
    this.#usual = new SettleLoop({ ...options, spacingMs })
    this.#touching = new SettleLoop({
      ...options,
      spacingMs: spacingOfTouchingMs,
      onSettled: batch => {
        for (const { taken } of batch) this.#touched.add(taken.endpointId, -1)
        options.onSettled(batch)
      },
    })
  }

  /** Results that are not written yet. */
  get unsettled(): number {
    return this.#usual.unsettled + this.#touching.unsettled
  }

  /** Of these, those that wait for the statement before them: they pile up where the database cannot keep up. */
  get gathered(): number {
    return this.#usual.gathered + this.#touching.gathered
  }

  /** Those of one account that do. */
  gatheredOf(accountId: string): number {
    return this.#usual.gatheredOf(accountId) + this.#touching.gatheredOf(accountId)
  }

  add(settlement: Settlement): void {
    const { endpointId } = settlement.taken
    if (!touchesEndpoint(settlement) && this.#touched.of(endpointId) === 0) {
      this.#usual.add(settlement)
    } else {
      this.#touched.add(endpointId, 1)
      this.#touching.add(settlement)
    }
  }

  /** Resolves when everything that was added is written. */
  async drain(): Promise<void> {
    await Promise.all([this.#usual.drain(), this.#touching.drain()])
  }
}
