import type { Queryable } from '../db/database.ts'
import { type LeasedDelivery, startWithinMs } from '../domain/leased-delivery.ts'
import { release } from './release.ts'

/** After the database can be reached, a statement whose connection broke may still commit until its own timeout. */
const checkForMs = 65_000

/**
 * The deliveries that this process knows it holds. The queue may list more, if the answer to a hand-off or a claim was lost:
 * `releaseUnknown` releases those.
 */
export class HeldDeliveries {
  /** The claim of each delivery. */
  readonly #claims = new Map<string, number>()
  #checkUntilMs = Number.NEGATIVE_INFINITY
  #mayCheckAtMs = Number.NEGATIVE_INFINITY
  #unknown = new Map<string, number>()

  add(deliveries: readonly LeasedDelivery[]): void {
    for (const { deliveryId, claim } of deliveries) this.#claims.set(deliveryId, claim)
  }

  /** They are settled or released. */
  remove(deliveries: readonly LeasedDelivery[]): void {
    for (const { deliveryId, claim } of deliveries)
      if (this.#claims.get(deliveryId) === claim) this.#claims.delete(deliveryId)
  }

  /** A statement that may have given deliveries to this process failed, or its answer was lost. */
  answerLost(nowMs: number): void {
    this.#checkUntilMs = nowMs + checkForMs
  }

  /**
   * Checks once a second after an answer was lost. What was unknown at two checks in a row is too old to be started.
   * @param process the number of this process
   * @returns whether any were released
   */
  async releaseUnknown(db: Queryable, monotonicMs: () => number, process: number): Promise<boolean> {
    const nowMs = monotonicMs()
    if (nowMs > this.#checkUntilMs || nowMs < this.#mayCheckAtMs) return false
    this.#mayCheckAtMs = nowMs + startWithinMs
    const listed = await this.#listed(db, process).catch((error: unknown) => {
      this.answerLost(nowMs)
      throw error
    })
    // the list may contain what was claimed while it was read
    this.#mayCheckAtMs = monotonicMs() + startWithinMs
    const unknown = listed.filter(one => this.#claims.get(one.deliveryId) !== one.claim)
    const lost = unknown.filter(one => this.#unknown.get(one.deliveryId) === one.claim)
    this.#unknown = new Map(unknown.map(one => [one.deliveryId, one.claim]))
    if (lost.length === 0) return false
    const given = lost.map(one => ({ ...one, process }))
    await release(db, given)
    return true
  }

  async #listed(db: Queryable, process: number): Promise<Listed[]> {
    return await db.query<Listed>(
      `select account_id as "accountId", delivery_id as "deliveryId", claim from queue
       where process is not null and process = $1
         and exists (select from process p where p.number = $1 and p.timeline = wal_timeline())`,
      [process],
    )
  }
}

interface Listed {
  accountId: string
  deliveryId: string
  claim: number
}
