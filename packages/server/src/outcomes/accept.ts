import { elements, numbers, plainArray } from '../db/array-literal.ts'
import { int4Array, int8Array, textArray, uuidArray } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import { boundsOf } from '../domain/bounds.ts'
import { countEach } from '../domain/count-each.ts'
import type { EventType } from '../domain/event-type.ts'
import type { HandOffCapacity, LeftEndpoint } from '../domain/hand-off.ts'
import { onceEach } from '../domain/once-each.ts'
import { dayOfAll } from '../domain/partition-day.ts'
import type { SuppressionEntry } from '../suppressions/enter-suppressions.ts'
import { acceptStatement } from './accept-statement.ts'
import type { RecipientRecord } from './record-on-emails.ts'
import { type LeasedDelivery, startWithinMs } from '../domain/leased-delivery.ts'

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
  capacity: HandOffCapacity
  /** The number of this process, under which it holds what it is handed. */
  process: number
  monotonicMs: () => number
}

export interface Accepted {
  /** For each event, in order: null when it was stored, else the id of the event that its outcome made before. */
  duplicateOf: Array<string | typeof superseded | null>
  /** New deliveries that this process holds already. */
  handedOver: LeasedDelivery[]
  left: LeftEndpoint[]
}

/**
 * Stores events and their deliveries in one statement, and hands over to this process as many deliveries as it has
 * capacity for. Nothing is stored when any account is unknown (SQLSTATE PH001).
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
  const accepted: Accepted = { duplicateOf: events.map(() => null), handedOver: [], left: [] }
  for (const row of rows) {
    if (row.kind === 'handed_over') {
      accepted.handedOver = leasedFrom(row, events, options.process, sentAtMs + startWithinMs)
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
        limited: row.limited,
        deliveries: row.deliveries,
      })
    }
  }
  return accepted
}

type AcceptRow = HandedOverRow | LeftRow | DuplicateRow

/** All that was handed over in one row, a list for each column: the driver takes longer over a row than the rest over a delivery. */
interface HandedOverRow {
  kind: 'handed_over'
  /** Of each delivery, the places of its event and of its endpoint. */
  ns: string | null
  places: string | null
  /** Of the deliveries; null for those that have the `firstDeliveryId` of their event. */
  ids: string | null
  /** Of each endpoint that may get some, in order of their places, as it was before. */
  endpoint_ids: string | null
  versions: string | null
  failing: string | null
  last_sequences: string | null
}

interface LeftRow {
  kind: 'left'
  /** The place of one of its events. */
  n: number
  /** Of the endpoint. */
  id: string
  limited: boolean
  deliveries: number
}

interface DuplicateRow {
  kind: 'duplicate'
  n: number
  /** Of the first event. */
  id: string | null
}

function leasedFrom(
  row: HandedOverRow,
  events: readonly NewEvent[],
  process: number,
  startByMs: number,
): LeasedDelivery[] {
  const ns = numbers(row.ns)
  const places = numbers(row.places)
  const ids = elements(row.ids)
  const endpointIds = elements(row.endpoint_ids)
  const versions = numbers(row.versions)
  const failing = elements(row.failing)
  // what an endpoint gets is numbered in the order in which it stands here, and what it does not get comes after
  const sequences = numbers(row.last_sequences)
  const leased: LeasedDelivery[] = []
  for (let nth = 0; nth < ns.length; nth++) {
    const event = events[(ns[nth] ?? 0) - 1]
    const at = (places[nth] ?? 0) - 1
    const sequence = (sequences[at] ?? 0) + 1
    sequences[at] = sequence
    const id = ids[nth] ?? 'NULL'
    if (event === undefined) continue
    leased.push({
      accountId: event.accountId,
      endpointId: endpointIds[at] ?? '',
      deliveryId: id === 'NULL' ? event.firstDeliveryId : id,
      eventId: event.id,
      endpointVersion: versions[at] ?? 0,
      endpointFailing: failing[at] === 't',
      // an endpoint with a limit gets nothing handed over
      endpointLimited: false,
      sequence,
      process,
      claim: 1,
      lostClaims: 0,
      attemptCount: 0,
      retriesUsed: 0,
      trigger: 'schedule',
      wasDelivered: false,
      body: event.body,
      startByMs,
    })
  }
  return leased
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
  const accountIds = events.map(event => event.accountId)
  const accounts = onceEach(accountIds)
  const types = onceEach(events.map(event => event.type))
  const known = options.capacity.known(countEach(accountIds))
  return [
    uuidArray(accounts.values),
    int4Array(accounts.places),
    plainArray(types.values),
    int4Array(types.places),
    uuidArray(events.map(event => event.id)),
    uuidArray(events.map(event => event.firstDeliveryId)),
    int4Array(boundsOf(events.map(event => event.body.length))),
    int4Array(boundsOf(events.map(event => event.searchKeys.length))),
    int8Array(events.flatMap(event => event.searchKeys)),
    textArray(events.map(event => event.outcomeDigest)),
    Buffer.concat(events.map(event => event.body)),
    uuidArray([...known.keys()]),
    int4Array([...known.values()]),
    options.capacity.perEndpoint,
    options.capacity.total,
    options.process,
  ]
}
