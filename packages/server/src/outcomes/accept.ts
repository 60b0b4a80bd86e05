import { elements, nullableArray, plainArray } from '../db/array-literal.ts'
import { int4Array, int8Array } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import type { EventType } from '../domain/event-type.ts'
import type { LeftEndpoint } from '../domain/left-endpoint.ts'
import { dayOfAll } from '../domain/partition-day.ts'
import type { Rooms } from '../domain/rooms.ts'
import type { SuppressionEntry } from '../suppressions/enter-suppressions.ts'
import { acceptStatement } from './accept-statement.ts'
import type { RecipientRecord } from './record-on-emails.ts'
import { startWithinMs, type TakenDelivery } from '../domain/taken-delivery.ts'

/** An event that is ready to be stored, and whose bytes are final. */
export interface NewEvent {
  accountId: string
  /** UUIDv7. */
  id: string
  /** UUIDv7 of the same millisecond, for the delivery to the first of its endpoints. */
  firstDeliveryId: string
  type: EventType
  body: Buffer
  searchKeys: readonly bigint[]
  /** 16 bytes in hex for the reporter's `outcome_id`, or null when it gave none. */
  outcomeDigest: string | null
  /** 16 bytes in hex for its email and recipient, when the recipient's state decides whether it is stored. */
  recipientDigest?: string
  /** What it means for mail that is yet to be sent. */
  suppresses?: SuppressionEntry
  /** Of one that Posthorn sent: what its record is to say of the recipient. */
  onEmail?: RecipientRecord
}

/** In the place of a first event: the recipient's email has already come to an end that nothing follows. */
export const superseded = Symbol('superseded')

export interface AcceptOptions {
  rooms: Rooms
  /** This process, or null when it sends nothing itself. */
  processId: string | null
  leaseMs: number
  monotonicMs: () => number
}

export interface Accepted {
  /** For each event, in order: null when it was stored, else the id of the event that its outcome made before. */
  duplicateOf: Array<string | typeof superseded | null>
  /** New deliveries that this process already holds. */
  taken: TakenDelivery[]
  left: LeftEndpoint[]
}

/**
 * Stores events and their deliveries in one statement, and hands over to this process as many deliveries as it has
 * room for. Nothing is stored when any account is unknown (SQLSTATE PH001).
 *
 * Endpoint rows are locked in key order before anything is numbered: deliveries get their sequence without gaps,
 * processes cannot dead-lock, and the rows come back as they are *after* a concurrent delete or change, which is
 * what READ COMMITTED gives to a locking read and to nothing else in the statement.
 */
export async function accept(
  db: Queryable,
  events: readonly NewEvent[],
  options: AcceptOptions,
): Promise<Accepted> {
  const sentAtMs = options.monotonicMs()
  const statement = acceptStatement(dayOfAll(events.map(event => event.id)))
  const rows = await db.query<AcceptRow>(statement, acceptValues(events, options))
  const accepted: Accepted = { duplicateOf: events.map(() => null), taken: [], left: [] }
  for (const row of rows) {
    if (row.kind === 'taken') {
      accepted.taken = takenFrom(row, events, sentAtMs + startWithinMs)
      continue
    }
    const event = events[row.n - 1]
    if (event === undefined) continue
    if (row.kind === 'duplicate') {
      accepted.duplicateOf[row.n - 1] = row.id ?? (await firstEventOf(db, event))
    } else {
      accepted.left.push({
        accountId: event.accountId,
        endpointId: row.id,
        paced: row.paced,
        deliveries: row.deliveries,
      })
    }
  }
  return accepted
}

type AcceptRow = TakenRow | LeftRow | DuplicateRow

/** All that was taken in one row, a list for each column: the driver takes longer over a row than the rest over a delivery. */
interface TakenRow {
  kind: 'taken'
  /** Places of the events. */
  ns: string | null
  /** Of the deliveries; null for those that have the `firstDeliveryId` of their event. */
  ids: string | null
  endpoint_ids: string | null
  sequences: string | null
  versions: string | null
  failing: string | null
  /** Under which they are held together. */
  hold: string | null
}

interface LeftRow {
  kind: 'left'
  /** The place of one of its events. */
  n: number
  /** Of the endpoint. */
  id: string
  paced: boolean
  deliveries: number
}

interface DuplicateRow {
  kind: 'duplicate'
  n: number
  /** Of the first event. */
  id: string | null
}

function takenFrom(row: TakenRow, events: readonly NewEvent[], startByMs: number): TakenDelivery[] {
  const ids = elements(row.ids)
  const endpointIds = elements(row.endpoint_ids)
  const sequences = elements(row.sequences)
  const versions = elements(row.versions)
  const failing = elements(row.failing)
  const hold = row.hold === null ? null : { id: row.hold, unsettled: endpointIds.length }
  const taken: TakenDelivery[] = []
  elements(row.ns).forEach((n, nth) => {
    const event = events[Number(n) - 1]
    if (event === undefined) return
    const id = ids[nth] ?? 'NULL'
    taken.push({
      accountId: event.accountId,
      endpointId: endpointIds[nth] ?? '',
      deliveryId: id === 'NULL' ? event.firstDeliveryId : id,
      eventId: event.id,
      endpointVersion: Number(versions[nth]),
      endpointFailing: failing[nth] === 't',
      // who is paced gets nothing handed over
      endpointPaced: false,
      sequence: Number(sequences[nth]),
      hold,
      claim: 1,
      lostClaims: 0,
      attemptCount: 0,
      retriesUsed: 0,
      trigger: 'schedule',
      wasDelivered: false,
      body: event.body,
      startByMs,
    })
  })
  return taken
}

/** The statement's snapshot does not see what another transaction, or an earlier row of its own, has just stored. */
async function firstEventOf(db: Queryable, event: NewEvent): Promise<string> {
  const [row] = await db.query<{ event_id: string }>(
    `select event_id from outcome_key where account_id = $1 and digest = decode($2, 'hex')`,
    [event.accountId, event.outcomeDigest],
  )
  return row?.event_id ?? event.id
}

function acceptValues(events: readonly NewEvent[], options: AcceptOptions): unknown[] {
  const bodies = Buffer.concat(events.map(event => event.body))
  const known = options.rooms.known(new Set(events.map(event => event.accountId)))
  return [
    plainArray(events.map(event => event.accountId)),
    plainArray(events.map(event => event.id)),
    plainArray(events.map(event => event.firstDeliveryId)),
    plainArray(events.map(event => event.type)),
    int4Array(startsAndEnd(events.map(event => event.body.length))),
    int4Array(startsAndEnd(events.map(event => event.searchKeys.length))),
    nullableArray(events.map(event => event.outcomeDigest)),
    bodies,
    int8Array(events.flatMap(event => event.searchKeys)),
    plainArray([...known.keys()]),
    int4Array([...known.values()]),
    options.processId === null ? 0 : options.rooms.perEndpoint,
    options.processId === null ? 0 : options.rooms.total,
    options.processId,
    options.leaseMs,
  ]
}

/** Where each of several pieces begins that are laid end to end, counted from one, and where the next one would. */
function startsAndEnd(lengths: readonly number[]): number[] {
  const starts = [1]
  let next = 1
  for (const length of lengths) starts.push((next += length))
  return starts
}
