import type { OutcomesAccepted } from '@posthorn/contract'
import { DatabaseUnavailableError, type Queryable } from '../db/database.ts'
import type { DecidedOutcome } from '../domain/decided-outcome.ts'
import { typeId } from '../domain/type-id.ts'
import { type Accepted, type NewEvent, superseded } from './accept.ts'
import { acceptOncePerRecipient, type AcceptSteps } from './accept-once-per-recipient.ts'
import { inSlices } from './in-slices.ts'
import { Lane } from './lane.ts'
import { newEvent } from './new-event.ts'
import { unknownAccount } from './unknown-account.ts'
import { withoutUnwanted } from './without-unwanted.ts'

/** A request with more outcomes than this is large. */
const smallMax = 100

export type HandOff = 'small' | 'large' | 'none'

export interface IntakeOptions {
  db: Queryable
  newId: () => string
  /** Stores events by the accept statement. @param handOff how much of this process's capacity it may use */
  store: (db: Queryable, events: readonly NewEvent[], handOff: HandOff) => Promise<Accepted>
  suppress: AcceptSteps['suppress']
  /** Called if the answer to a commit was lost: the events may be stored. */
  answerLost: () => void
  /** Counts the events, and hands the new deliveries to the dispatcher. Never throws. */
  afterCommit: (events: readonly NewEvent[], accepted: Accepted) => void
}

/** Stores outcomes in the caller's transaction. The caller must call `afterCommit` after the commit. */
export type StoreWithin = (
  tx: Queryable,
  outcomes: readonly DecidedOutcome[],
) => Promise<{ answer: OutcomesAccepted; afterCommit: () => void }>

export type OutcomeIntake = Pick<Intake, 'group' | 'within' | 'runInLane'>

/**
 * Stores decided outcomes. Small and large requests have separate lanes, so that a single event never waits for another account's
 * thousands. A small group leaves out accounts whose large request is being stored, because it would wait for the locks on their
 * endpoints.
 */
export class Intake {
  readonly #options: IntakeOptions
  readonly #small: Lane
  readonly #large: Lane

  constructor(options: IntakeOptions) {
    const { db, afterCommit } = options
    this.#options = options
    this.#small = new Lane({
      store: async events => await this.#store(db, events, 'small'),
      afterCommit,
      excluded: () => this.#large.storing,
      onStored: () => this.#large.wake(),
    })
    this.#large = new Lane({
      store: async events => await this.#store(db, events, 'large'),
      afterCommit,
      // small requests that waited for a large one of their account go before its next large one
      excluded: () => this.#small.leftOut,
      onStored: () => this.#small.wake(),
    })
  }

  /**
   * Stores outcomes together with other requests. Resolves after the commit.
   * @throws AppError `overloaded`, `validation_failed`
   */
  async group(outcomes: readonly DecidedOutcome[]): Promise<OutcomesAccepted> {
    const events = await this.#prepare(outcomes)
    const lane = events.length > smallMax ? this.#large : this.#small
    return answerFor(events, await lane.submit(events))
  }

  readonly within: StoreWithin = async (tx, outcomes) => {
    const events = await this.#prepare(outcomes)
    // no hand-off, because the answer to the caller's commit may be lost
    const accepted = await this.#store(tx, events, 'none')
    return {
      answer: answerFor(events, accepted.duplicateOf),
      afterCommit: () => this.#options.afterCommit(events, accepted),
    }
  }

  /**
   * Runs a transaction that stores these outcomes: in the lane if there are many, else at once.
   * @param bytes the size of the request
   * @throws AppError `overloaded`
   */
  async runInLane<T>(
    outcomes: readonly DecidedOutcome[],
    bytes: number,
    transaction: () => Promise<T>,
  ): Promise<T> {
    const [first] = outcomes
    if (first === undefined || outcomes.length <= smallMax) return await transaction()
    return await this.#large.run(first.accountId, bytes, transaction)
  }

  /** Resolves when nothing waits or is being stored. */
  async drain(): Promise<void> {
    do {
      await this.#large.drain()
      await this.#small.drain()
      // one lane may wait for the other
    } while (this.#large.isActive || this.#small.isActive)
  }

  async #prepare(outcomes: readonly DecidedOutcome[]): Promise<NewEvent[]> {
    const events: NewEvent[] = []
    await inSlices(outcomes, (outcome, index) => events.push(newEvent(outcome, this.#options.newId, index)))
    return events
  }

  async #store(db: Queryable, events: readonly NewEvent[], handOff: HandOff): Promise<Accepted> {
    const { store, suppress } = this.#options
    const accept = async (tx: Queryable, some: readonly NewEvent[]): Promise<Accepted> =>
      await store(tx, some, handOff)
    try {
      const wanted = await withoutUnwanted(db, events)
      if (wanted.length === 0 && events.length > 0) return nothingWanted(events)
      const accepted = wanted.some(needsTransaction)
        ? await acceptOncePerRecipient(db, wanted, { accept, suppress })
        : await accept(db, wanted)
      return wanted.length === events.length ? accepted : inPlaces(accepted, wanted, events)
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) this.#options.answerLost()
      throw explained(error)
    }
  }
}

/** Whether storing it needs more than one statement. */
function needsTransaction(event: NewEvent): boolean {
  return event.recipientDigest !== undefined || event.suppresses !== undefined || event.also !== undefined
}

/** The SQLSTATE of `refuse_unknown_account` in the accept statement. */
const unknownAccountState = 'PH001'

function explained(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === unknownAccountState)) return error
  return unknownAccount()
}

function nothingWanted(events: readonly NewEvent[]): Accepted {
  return { duplicateOf: events.map(() => superseded), handedOver: [], left: [], countedAs: 0 }
}

/** The result for all events, when only the wanted ones were stored. */
function inPlaces(accepted: Accepted, wanted: readonly NewEvent[], events: readonly NewEvent[]): Accepted {
  const byId = new Map<string, Accepted['duplicateOf'][number]>(
    wanted.map(({ id }, n) => [id, accepted.duplicateOf[n] ?? null]),
  )
  return {
    ...accepted,
    duplicateOf: events.map(({ id }) => (byId.has(id) ? (byId.get(id) ?? null) : superseded)),
  }
}

function answerFor(events: readonly NewEvent[], duplicateOf: Accepted['duplicateOf']): OutcomesAccepted {
  const answer: OutcomesAccepted = { accepted: 0, events: [], ignored: [] }
  events.forEach((event, index) => {
    const first = duplicateOf[index] ?? null
    if (event.type === 'email.deferred') answer.ignored.push({ index, reason: 'temporary' })
    else if (first === superseded) answer.ignored.push({ index, reason: 'superseded' })
    else if (first === null) answer.events.push(typeId('evt', event.id))
    else answer.ignored.push({ index, reason: 'duplicate', event_id: typeId('evt', first) })
  })
  answer.accepted = answer.events.length
  return answer
}
