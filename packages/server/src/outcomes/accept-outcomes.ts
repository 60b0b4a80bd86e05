import { DatabaseUnavailableError, type KeptConnection, type Queryable } from '../db/database.ts'
import { fewMax } from '../domain/bulk-pace.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import { typeId } from '../domain/type-id.ts'
import { type Accepted, type NewEvent, superseded } from './accept.ts'
import { BulkTurns } from './bulk-turns.ts'
import { GroupCommit } from './group-commit.ts'
import { inSlices } from './in-slices.ts'
import { newEvent } from './new-event.ts'
import { needsCare, type StoreOptions, type WaysToStore, waysToStore } from './ways-to-store.ts'

/** The answer of `POST /v1/outcomes` (decisions §7). */
export interface AcceptAnswer {
  accepted: number
  events: string[]
  ignored: Array<
    { index: number; reason: 'duplicate'; event_id: string } | { index: number; reason: 'superseded' }
  >
}

export interface OutcomesDependencies extends Omit<StoreOptions, 'pause'> {
  /** The connections of the hot path, and the one for groups of a few. */
  db: Queryable
  kept: KeptConnection
  /** Passes the time for which what is stored in bulk makes way. */
  rest: (ms: number) => Promise<void>
  newId: () => string
  /** Passes a moment, if that makes room for events of these accounts, one for each. */
  roomForBulk: (accountIds: readonly string[]) => Promise<void>
  /** Hands what was taken to the dispatcher and tells it, and others, what was left. */
  afterCommit: (accepted: Accepted) => void
}

/** Where decided outcomes enter: as part of the next group, or within a transaction that somebody else commits. */
export interface Outcomes {
  group(outcomes: readonly DecidedOutcome[]): Promise<AcceptAnswer>
  within: StoreWithin
  /** Runs what stores these outcomes within a transaction of its own when it is its turn: at once when they are few. */
  inTurn<T>(outcomes: readonly DecidedOutcome[], work: (within: StoreWithin) => Promise<T>): Promise<T>
  drain(): Promise<void>
}

export type StoreWithin = (
  tx: Queryable,
  outcomes: readonly DecidedOutcome[],
) => Promise<{ answer: AcceptAnswer; afterCommit: () => void }>

export function openOutcomes(dependencies: OutcomesDependencies): Outcomes {
  const { db, kept, clock, pace, rest, newId, mayPause, roomForBulk, store, suppress, afterCommit } =
    dependencies
  const bulkTurns = new BulkTurns({
    clock,
    pace,
    rest,
    letGo: async accountIds => {
      await Promise.all([fewCommits, carefulCommits].map(async queue => await queue.letGo(accountIds)))
    },
  })
  const ways = waysToStore({
    clock,
    pace,
    mayPause,
    pause: async () => await bulkTurns.pause(),
    store,
    suppress,
  })
  const isAway = (error: unknown): boolean => error instanceof DatabaseUnavailableError
  const heldBack = (): ReadonlySet<string> => bulkTurns.storing
  // requests in bulk go by groups of their own, which those with few do not wait for
  const bulkCommits = new GroupCommit({
    store: async events => {
      const accountIds = events.map(event => event.accountId)
      await roomForBulk(accountIds)
      return await bulkTurns.take(accountIds, async () => await ways.inBulk(db, events))
    },
    afterCommit,
    isAway,
  })
  const fewCommits = new GroupCommit({
    during: async run => await kept.during(run),
    store: async events => {
      const fromMs = clock.monotonicMs()
      const accepted = await ways.few(kept, events)
      pace.storedFew(fromMs, clock.monotonicMs(), events.length)
      return accepted
    },
    afterCommit,
    isAway,
    heldBack,
  })
  // groups of their own: what is decided and suppresses nobody is stored in one statement and waits for none of these
  const carefulCommits = new GroupCommit({
    store: async events => await ways.few(db, events),
    afterCommit,
    isAway,
    heldBack,
  })
  const prepare = async (outcomes: readonly DecidedOutcome[]): Promise<NewEvent[]> => {
    const events: NewEvent[] = []
    await inSlices(outcomes, (outcome, index) => events.push(newEvent(outcome, newId, index)))
    return events
  }
  const queueFor = (events: readonly NewEvent[]): GroupCommit => {
    if (events.length > fewMax) return bulkCommits
    return events.some(needsCare) ? carefulCommits : fewCommits
  }
  const withinBy =
    (store: WaysToStore['few']): StoreWithin =>
    async (tx, outcomes) => {
      const events = await prepare(outcomes)
      const accepted = await store(tx, events)
      return { answer: answerFor(events, accepted.duplicateOf), afterCommit: () => afterCommit(accepted) }
    }

  return {
    group: async outcomes => {
      const events = await prepare(outcomes)
      return answerFor(events, await queueFor(events).submit(events))
    },
    within: withinBy(ways.atOnce),
    inTurn: async (outcomes, work) => {
      if (outcomes.length <= fewMax) return await work(withinBy(ways.few))
      const accountIds = outcomes.map(({ accountId }) => accountId)
      return await bulkTurns.take(accountIds, async () => await work(withinBy(ways.inBulk)))
    },
    drain: async () => {
      await bulkCommits.drain()
      await bulkTurns.drain()
      await Promise.all([fewCommits.drain(), carefulCommits.drain()])
    },
  }
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
