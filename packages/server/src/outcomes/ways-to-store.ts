import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type BulkPace, fewMax } from '../domain/bulk-pace.ts'
import type { TakenDelivery } from '../domain/taken-delivery.ts'
import { AppError } from '../errors.ts'
import type { Accepted, NewEvent } from './accept.ts'
import { acceptOncePerRecipient, type AcceptSteps } from './accept-once-per-recipient.ts'
import { type PieceSteps, storeInPieces } from './store-in-pieces.ts'

export interface StoreOptions {
  clock: Pick<Clock, 'monotonicMs'>
  pace: BulkPace
  /** False where a transaction keeps everybody else from the database. */
  mayPause: boolean
  /** Passes the time between two pieces of what is stored in bulk. */
  pause: () => Promise<void>
  /**
   * `inBulk` says whether these events were reported many at a time, `taken` what the pieces before them brought this process.
   */
  store: (
    db: Queryable,
    events: readonly NewEvent[],
    inBulk: boolean,
    taken: readonly TakenDelivery[],
  ) => Promise<Accepted>
  suppress: AcceptSteps['suppress']
}

/** @throws AppError `validation_failed` when an event's account does not exist; nothing is stored then */
type Store = (db: Queryable, events: readonly NewEvent[]) => Promise<Accepted>

/** How events are stored: all of them or, when it throws, none. */
export interface WaysToStore {
  few: Store
  /** In one statement, however many they are. */
  atOnce: Store
  /**
   * When it is their turn: in pieces, while somebody has to wait for bulk. Of several accounts they are stored at once: a pause
   * would keep waiting whoever else of these has something to store, and make way for nobody.
   */
  inBulk: Store
}

export function waysToStore({ clock, pace, mayPause, pause, store, suppress }: StoreOptions): WaysToStore {
  const inBulk: Store = async (db, events) => {
    const makesWay = mayPause && pace.isFelt(clock.monotonicMs()) && isOfOneAccount(events)
    if (!makesWay) return await store(db, events, true, [])
    const steps: PieceSteps = {
      store: async (tx, piece, taken) => await store(tx, piece, true, taken),
      pause,
    }
    return await db.transaction(async tx => await storeInPieces(tx, events, steps))
  }
  const withCare =
    (accept: Store): Store =>
    async (db, events) =>
      await explained(
        events.some(needsCare)
          ? acceptOncePerRecipient(db, events, { accept, suppress })
          : accept(db, events),
      )
  return {
    few: withCare(async (db, events) => await store(db, events, false, [])),
    atOnce: withCare(async (db, events) => await store(db, events, events.length > fewMax, [])),
    inBulk: withCare(inBulk),
  }
}

function isOfOneAccount([first, ...others]: readonly NewEvent[]): boolean {
  return others.every(event => event.accountId === first?.accountId)
}

/** Whether more than one statement is needed for it: its recipient's state decides, or it suppresses somebody. */
export function needsCare(event: NewEvent): boolean {
  return event.recipientDigest !== undefined || event.suppresses !== undefined
}

/** SQLSTATE that the accept statement raises, see `refuse_unknown_account`. */
const unknownAccount = 'PH001'

async function explained(storing: Promise<Accepted>): Promise<Accepted> {
  try {
    return await storing
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === unknownAccount) {
      throw new AppError('validation_failed', 'account_id names an account that does not exist.', [
        { path: '/account_id', message: 'no such account' },
      ])
    }
    throw error
  }
}
