import type { Clock } from '../context.ts'
import { DatabaseUnavailableError, type Queryable } from '../db/database.ts'
import { type BulkPace, fewMax } from '../domain/bulk-pace.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import { typeId } from '../domain/type-id.ts'
import { AppError } from '../errors.ts'
import { inSlices } from './in-slices.ts'
import { type Accepted, type NewEvent, superseded } from './accept.ts'
import { acceptOncePerRecipient, type AcceptSteps } from './accept-once-per-recipient.ts'
import { BulkTurns } from './bulk-turns.ts'
import { GroupCommit } from './group-commit.ts'
import { newEvent } from './new-event.ts'

/** The answer of `POST /v1/outcomes` (decisions §7). */
export interface AcceptAnswer {
  accepted: number
  events: string[]
  ignored: Array<
    { index: number; reason: 'duplicate'; event_id: string } | { index: number; reason: 'superseded' }
  >
}

export interface OutcomesDependencies {
  /** The connection of the hot path. */
  db: Queryable
  clock: Pick<Clock, 'monotonicMs'>
  pace: BulkPace
  /** Passes the time for which what is stored in bulk makes way. */
  rest: (ms: number) => Promise<void>
  newId: () => string
  /** `inBulk` says whether these events were reported many at a time. */
  store: (db: Queryable, events: readonly NewEvent[], inBulk: boolean) => Promise<Accepted>
  suppress: AcceptSteps['suppress']
  /** Hands what was taken to the dispatcher and tells it, and others, what was left. */
  afterCommit: (accepted: Accepted) => void
}

/** Where decided outcomes enter: as part of the next group, or within a transaction that somebody else commits. */
export interface Outcomes {
  group(outcomes: readonly DecidedOutcome[]): Promise<AcceptAnswer>
  within(
    tx: Queryable,
    outcomes: readonly DecidedOutcome[],
  ): Promise<{ answer: AcceptAnswer; afterCommit: () => void }>
  /** Runs what stores these outcomes within a transaction of its own when it is its turn: at once when they are few. */
  inTurn<T>(outcomes: readonly DecidedOutcome[], work: () => Promise<T>): Promise<T>
  drain(): Promise<void>
}

/** Events prepared in one turn of the event loop. */
const sliceMax = 20

export function openOutcomes(dependencies: OutcomesDependencies): Outcomes {
  const { db, clock, pace, rest, newId, store, suppress, afterCommit } = dependencies
  const bulkTurns = new BulkTurns({ clock, pace, rest })
  const storeWithCare = async (tx: Queryable, events: readonly NewEvent[]): Promise<Accepted> =>
    await explained(
      acceptOncePerRecipient(tx, events, {
        accept: async (within, accepted) => await store(within, accepted, accepted.length > fewMax),
        suppress,
      }),
    )
  const isAway = (error: unknown): boolean => error instanceof DatabaseUnavailableError
  // requests in bulk go by groups of their own, which those with few do not wait for
  const fewCommits = new GroupCommit({
    store: async events => {
      const fromMs = clock.monotonicMs()
      const accepted = await explained(store(db, events, false))
      pace.storedFew(fromMs, clock.monotonicMs(), events.length)
      return accepted
    },
    afterCommit,
    isAway,
  })
  const bulkCommits = new GroupCommit({
    store: async events => {
      const accountIds = events.map(event => event.accountId)
      return await bulkTurns.take(accountIds, async () => await explained(store(db, events, true)))
    },
    afterCommit,
    isAway,
  })
  // groups of their own: what is decided and suppresses nobody is stored in one statement and waits for none of these
  const carefulCommits = new GroupCommit({
    store: async events => await storeWithCare(db, events),
    afterCommit,
    isAway,
  })
  const prepare = async (outcomes: readonly DecidedOutcome[]): Promise<NewEvent[]> => {
    const events: NewEvent[] = []
    await inSlices(outcomes, sliceMax, (outcome, index) => events.push(newEvent(outcome, newId, index)))
    return events
  }
  const queueFor = (events: readonly NewEvent[]): GroupCommit => {
    if (events.some(needsCare)) return carefulCommits
    return events.length > fewMax ? bulkCommits : fewCommits
  }

  return {
    group: async outcomes => {
      const events = await prepare(outcomes)
      return answerFor(events, await queueFor(events).submit(events))
    },
    within: async (tx, outcomes) => {
      const events = await prepare(outcomes)
      const accepted = events.some(needsCare)
        ? await storeWithCare(tx, events)
        : await explained(store(tx, events, events.length > fewMax))
      return { answer: answerFor(events, accepted.duplicateOf), afterCommit: () => afterCommit(accepted) }
    },
    inTurn: async (outcomes, work) =>
      await (outcomes.length > fewMax
        ? bulkTurns.take(
            outcomes.map(({ accountId }) => accountId),
            work,
          )
        : work()),
    drain: async () => {
      await Promise.all([fewCommits, bulkCommits, carefulCommits].map(async queue => await queue.drain()))
    },
  }
}

function needsCare(event: NewEvent): boolean {
  return event.recipientDigest !== undefined || event.suppresses !== undefined
}

function answerFor(events: readonly NewEvent[], duplicateOf: Accepted['duplicateOf']): AcceptAnswer {
  const answer: AcceptAnswer = { accepted: 0, events: [], ignored: [] }
  events.forEach((event, index) => {
    const first = duplicateOf[index] ?? null
    if (first === superseded) answer.ignored.push({ index, reason: 'superseded' })
    else if (first === null) answer.events.push(typeId('evt', event.id))
    else answer.ignored.push({ index, reason: 'duplicate', event_id: typeId('evt', first) })
  })
  answer.accepted = answer.events.length
  return answer
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
