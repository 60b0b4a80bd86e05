import { elements, numbers, plainArray } from '../db/array-literal.ts'
import { int4Array, int8Array, textArray, uuidArray } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import { boundsOf } from '../domain/bounds.ts'
import { countEach } from '../domain/count-each.ts'
import type { CountedOutcome } from '../domain/counted-outcome.ts'
import type { EventType } from '../domain/event-type.ts'
import type { HandOffCapacity, LeftEndpoint } from '../domain/hand-off.ts'
import { type LeasedDelivery, startWithinMs } from '../domain/leased-delivery.ts'
import { onceEach } from '../domain/once-each.ts'
import { dayOfAll } from '../domain/partition-day.ts'
import { traceparentBytes } from '../domain/traceparent.ts'
import type { SuppressionEntry } from '../suppressions/enter-suppressions.ts'
import { acceptStatement } from './accept-statement.ts'
import type { RecipientRecord } from './record-on-emails.ts'

/** An event that is ready to be stored. */
export interface NewEvent {
  accountId: string
  /** UUIDv7. */
  id: string
  /** UUIDv7 of the same millisecond, for the delivery to its first endpoint. */
  firstDeliveryId: string
  type: EventType
  body: Buffer
  searchKeys: readonly bigint[]
  /** For the filters of endpoints. */
  filterKeys: readonly bigint[]
  /** 16 bytes in hex for the reporter's `outcome_id`, if any. */
  outcomeDigest: string | null
  /** 16 bytes in hex for its email and recipient, if the recipient's state decides whether it is stored. */
  recipientDigest?: string
  /** The suppression that it creates. */
  suppresses?: SuppressionEntry
  /** The change in the record of an email that Posthorn sent. */
  onEmail?: RecipientRecord
  counted: CountedOutcome
  /** The opt-in event that is stored with it if an endpoint gets that type. */
  also?: NewEvent | undefined
  /** The trace that the event belongs to. */
  traceparent?: string | undefined
}

/** The recipient's state is final already, so the outcome made no event. */
export const superseded = Symbol('superseded')

export interface AcceptOptions {
  capacity: HandOffCapacity
  /** The number of this process. */
  process: number
  /** The number under which this process counts outcomes. */
  countedAs: number
  monotonicMs: () => number
}

export interface Accepted {
  /** For each event, in order: null if it was stored, else the id of the earlier event of the same outcome. */
  duplicateOf: Array<string | typeof superseded | null>
  /** New deliveries that this process now holds. */
  handedOver: LeasedDelivery[]
  left: LeftEndpoint[]
  /** The number under which the events are to be counted. */
  countedAs: number
}

/**
 * Stores events and their deliveries in one statement, and hands over to this process as many deliveries as it has
 * capacity for. Stores nothing if any account is unknown (SQLSTATE PH001).
 *
 * The statement locks endpoint rows in key order before it numbers deliveries. Sequences therefore have no gaps, processes
 * cannot deadlock, and a concurrent delete or change is seen: under READ COMMITTED only a locking read sees the newest row.
 */
export async function accept(
  db: Queryable,
  events: readonly NewEvent[],
  options: AcceptOptions,
): Promise<Accepted> {
  const sentAtMs = options.monotonicMs()
  const statement = acceptStatement(dayOfAll(events.map(event => event.id)))
  const rows = await db.query<AcceptRow>(statement, acceptValues(events, options))
  const { countedAs } = options
  const accepted: Accepted = { duplicateOf: events.map(() => null), handedOver: [], left: [], countedAs }
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

type AcceptRow = HandedOverRow | LeftRow | { kind: 'duplicate'; n: number; id: string | null }

/** All hand-overs in one row with a list for each column, because the driver is slow with many rows. */
interface HandedOverRow {
  kind: 'handed_over'
  /** For each delivery, the places of its event and of its endpoint. */
  ns: string | null
  places: string | null
  /** Delivery ids; null for a delivery with the `firstDeliveryId` of its event. */
  ids: string | null
  /** For each endpoint that may get deliveries, by its place, the values before this statement. */
  endpoint_ids: string | null
  versions: string | null
  failing: string | null
  last_sequences: string | null
}

interface LeftRow {
  kind: 'left'
  /** The place of one of the events. */
  n: number
  /** The endpoint. */
  id: string
  limited: boolean
  deliveries: number
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
  // hand-overs of an endpoint have the next sequences in this order; deliveries that are left come after them
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
      // nothing is handed over for an endpoint with a limit
      endpointLimited: false,
      sequence,
      process,
      claim: 1,
      lostClaims: 0,
      attemptCount: 0,
      retriesUsed: 0,
      trigger: 'schedule',
      wasDelivered: false,
      goesFirst: false,
      body: event.body,
      traceparent: event.traceparent ?? null,
      startByMs,
    })
  }
  return leased
}

/** The statement's snapshot does not see the key that another transaction, or the statement itself, has just stored. */
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
    options.countedAs,
    ...traceValues(events),
    int4Array(boundsOf(events.map(event => event.filterKeys.length))),
    int8Array(events.flatMap(event => event.filterKeys)),
  ]
}

/** Empty if no event belongs to a trace. */
function traceValues(events: readonly NewEvent[]): [Buffer, Buffer] {
  if (events.every(({ traceparent }) => traceparent === undefined)) return [noBytes, int4Array([])]
  const traces = events.map(({ traceparent }) =>
    traceparent === undefined ? noBytes : traceparentBytes(traceparent),
  )
  return [Buffer.concat(traces), int4Array(boundsOf(traces.map(trace => trace.length)))]
}

const noBytes = Buffer.alloc(0)
