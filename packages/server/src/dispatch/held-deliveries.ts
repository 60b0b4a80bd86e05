import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { type LeasedDelivery, startWithinMs } from '../domain/leased-delivery.ts'

/** A statement whose connection broke may go on for as long as a statement can, and commit. */
const doubtMs = 65_000

/**
 * What this process knows that it holds. The queue may say that it holds more: the answer to the statement that handed
 * deliveries over or claimed them was lost. `freeUnknown` gives those back.
 */
export class HeldDeliveries {
  /** The claim under which each is held. */
  readonly #claims = new Map<string, number>()
  #doubtUntilMs = Number.NEGATIVE_INFINITY
  #mayLookAtMs = Number.NEGATIVE_INFINITY
  #unknown = new Map<string, number>()

  hold(deliveries: readonly LeasedDelivery[]): void {
    for (const { deliveryId, claim } of deliveries) this.#claims.set(deliveryId, claim)
  }

  /** They are settled, or given back. */
  letGo(deliveries: readonly LeasedDelivery[]): void {
    for (const { deliveryId, claim } of deliveries)
      if (this.#claims.get(deliveryId) === claim) this.#claims.delete(deliveryId)
  }

  /** A statement that may have given this process deliveries failed, or its answer was lost. */
  doubt(nowMs: number): void {
    this.#doubtUntilMs = nowMs + doubtMs
  }

  /**
   * Looks once a second while there is a doubt. What this process did not know a second ago it can never start any more.
   * @param number of this process
   * @returns whether any were given back
   */
  async freeUnknown(db: Queryable, nowMs: number, number: number): Promise<boolean> {
    if (nowMs > this.#doubtUntilMs || nowMs < this.#mayLookAtMs) return false
    this.#mayLookAtMs = nowMs + startWithinMs
    const held = await db.query<Held>(
      'select account_id, delivery_id, claim from queue where process is not null and process = $1',
      [number],
    )
    const unknown = held.filter(one => this.#claims.get(one.delivery_id) !== one.claim)
    const lost = unknown.filter(one => this.#unknown.get(one.delivery_id) === one.claim)
    this.#unknown = new Map(unknown.map(one => [one.delivery_id, one.claim]))
    if (lost.length === 0) return false
    await db.query(freeStatement, [
      plainArray(lost.map(one => one.account_id)),
      plainArray(lost.map(one => one.delivery_id)),
      plainArray(lost.map(one => one.claim)),
      number,
    ])
    return true
  }
}

interface Held {
  account_id: string
  delivery_id: string
  claim: number
}

const freeStatement = `
with lost as materialized (
  select q.account_id, q.delivery_id
  from unnest($1::uuid[], $2::uuid[], $3::int[]) as l (account_id, delivery_id, claim)
  join queue q on q.account_id = l.account_id and q.delivery_id = l.delivery_id and q.claim = l.claim and q.process = $4
  order by q.delivery_id
  for update of q
)
update queue q set process = null, due_at = now()
from lost l where q.account_id = l.account_id and q.delivery_id = l.delivery_id`
