import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import type { Accepted, NewEvent } from './accept.ts'
import { enterOutcomeKeys, withoutName } from './enter-outcome-keys.ts'

/** Stored by one statement: a few milliseconds of the database's, in which whoever needs a core waits for it at most. */
const pieceMax = 100

export interface PieceSteps {
  /** Stores a piece; these deliveries of the pieces before it are this process's once the transaction is committed. */
  store: (tx: Queryable, piece: readonly NewEvent[], taken: readonly TakenDelivery[]) => Promise<Accepted>
  /** Passes the time between two pieces. */
  pause: () => Promise<void>
}

/**
 * Stores events by several statements of one transaction, with pauses between them: all of them or, when it throws, none.
 *
 * Names are entered and endpoints locked first of all, in the order in which the statement for all at once does it, so that
 * nobody who stores events of the same accounts meanwhile dead-locks with this.
 * @param tx the transaction, which may have to be committed by somebody else
 */
export async function storeInPieces(
  tx: Queryable,
  events: readonly NewEvent[],
  { store, pause }: PieceSteps,
): Promise<Accepted> {
  const firstOf = await enterOutcomeKeys(tx, events)
  const fresh = events.filter(event => !firstOf.has(event.id)).map(withoutName)
  await lockEndpoints(tx, fresh)
  const accepted: Accepted = {
    duplicateOf: events.map(event => firstOf.get(event.id) ?? null),
    taken: [],
    left: [],
  }
  for (let from = 0; from < fresh.length; from += pieceMax) {
    if (from > 0) await pause()
    const { taken, left } = await store(tx, fresh.slice(from, from + pieceMax), accepted.taken)
    accepted.taken.push(...taken)
    accepted.left.push(...left)
  }
  return accepted
}

async function lockEndpoints(tx: Queryable, events: readonly NewEvent[]): Promise<void> {
  await tx.query(
    `select from endpoint e
     where e.account_id = any ($1::uuid[]) and e.deleted_at is null and e.events && $2::event_type[]
     order by e.account_id, e.id
     for no key update`,
    [
      plainArray([...new Set(events.map(event => event.accountId))]),
      plainArray([...new Set(events.map(event => event.type))]),
    ],
  )
}
