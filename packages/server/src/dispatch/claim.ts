import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import {
  type AttemptTrigger,
  type Hold,
  startWithinMs,
  type TakenDelivery,
} from '../domain/taken-delivery.ts'

/** How many deliveries of an endpoint this process could start within the second that it may hold them. */
export interface EndpointRoom {
  accountId: string
  endpointId: string
  room: number
  /**
   * Nothing that waits for it is due before this moment, in milliseconds since the epoch. What the index has from before is
   * of what was claimed already, for as long as no vacuum has gone over it.
   */
  dueFromMs?: number
}

export interface ClaimOptions {
  processId: string
  leaseMs: number
  monotonicMs: () => number
}

/** Takes what is due, oldest first, at most `room` from each endpoint; nothing of a disabled or deleted one. */
export async function claim(
  db: Queryable,
  rooms: readonly EndpointRoom[],
  options: ClaimOptions,
): Promise<TakenDelivery[]> {
  const startByMs = options.monotonicMs() + startWithinMs
  const rows = await db.query<ClaimRow>(claimStatement, [
    plainArray(rooms.map(({ accountId }) => accountId)),
    plainArray(rooms.map(({ endpointId }) => endpointId)),
    plainArray(rooms.map(({ room }) => room)),
    options.processId,
    options.leaseMs,
    dueFrom(rooms),
  ])
  return takenFrom(rows, startByMs, false)
}

/** Where the line of each endpoint begins, as the statements take it. */
export function dueFrom(rooms: readonly EndpointRoom[]): string {
  return plainArray(rooms.map(({ dueFromMs }) => dueFromMs ?? 0))
}

/** Claimed rows as deliveries that this process holds. */
export function takenFrom(
  rows: readonly ClaimRow[],
  startByMs: number,
  endpointPaced: boolean,
): TakenDelivery[] {
  const together = rows.find(row => row.hold !== null)?.hold ?? null
  const unsettled = rows.filter(row => row.hold !== null).length
  const hold = together === null ? null : { id: together, unsettled }
  return rows.map(row => oneTaken(row, row.hold === null ? null : hold, startByMs, endpointPaced))
}

function oneTaken(
  row: ClaimRow,
  hold: Hold | null,
  startByMs: number,
  endpointPaced: boolean,
): TakenDelivery {
  return {
    accountId: row.account_id,
    endpointId: row.endpoint_id,
    deliveryId: row.delivery_id,
    eventId: row.event_id,
    endpointVersion: row.version,
    endpointFailing: row.failing,
    endpointPaced,
    sequence: row.sequence,
    hold,
    claim: row.claim,
    lostClaims: row.lost_claims,
    attemptCount: row.attempt_count,
    retriesUsed: row.retries_used,
    trigger: row.trigger,
    wasDelivered: row.was_delivered,
    body: row.body,
    startByMs,
  }
}

export interface ClaimRow {
  account_id: string
  endpoint_id: string
  delivery_id: string
  event_id: string
  version: number
  failing: boolean
  sequence: number
  /** Under which those that are to have their first attempt are held together. */
  hold: string | null
  claim: number
  lost_claims: number
  attempt_count: number
  retries_used: number
  trigger: AttemptTrigger
  was_delivered: boolean
  body: Uint8Array
}

/**
 * One descent of the event's primary key for each row that was taken. A plain join lets the planner, which believes
 * that a partition without statistics is nearly empty, read all events of the account for each of them.
 */
export const bodyOfTaken = `cross join lateral (
  select v.body from event v where v.account_id = t.account_id and v.id = t.event_id limit 1
) v`

/** Whoever marked a row that is due is a process of an earlier release, and was never heard of again. */
export const lostClaims = 'lost_claims + (taken_by is not null)::int'

/** Of a row of `waiting`: nobody has claimed it before, so that its first attempt may say all about it. */
const isNew = `claim = 0 and trigger = 'schedule'`

/**
 * What `due` names becomes this process's ($4), for as long as a lease ($5 milliseconds): one by one, and together what
 * is to have its first attempt.
 */
export const insertHeld = `
together as (
  insert into hold (id, process_id, leased_until, account_ids, delivery_ids)
  select gen_random_uuid(), $4::uuid, clock_timestamp() + $5::float8 * interval '1 millisecond',
    array_agg(account_id), array_agg(delivery_id)
  from due where ${isNew} having count(*) > 0
  returning id
),
one_by_one as (
  insert into taken (account_id, delivery_id, endpoint_id, event_id, process_id, leased_until, sequence, claim,
    lost_claims, attempt_count, retries_used, trigger, was_delivered)
  select account_id, delivery_id, endpoint_id, event_id, $4::uuid,
    clock_timestamp() + $5::float8 * interval '1 millisecond', sequence, claim + 1,
    ${lostClaims}, attempt_count, retries_used, trigger, was_delivered
  from due where not (${isNew})
  -- another attempt is under way, after which it goes on: one such row must not fail the claim of all others
  on conflict (account_id, delivery_id) do nothing
  returning account_id, delivery_id
)`

/** Of a row of `due` as `t`: this process holds it now. */
export const isHeld = `((${isNew}) or (t.account_id, t.delivery_id) in (select account_id, delivery_id from one_by_one))`

/** Of a row of `due`: the hold that it is in. */
export const holdOfDue = `case when ${isNew} then (select id from together) end`

const claimStatement = {
  name: 'claim',
  text: `
with due as (
  delete from waiting w
  -- by the row's place: a join the planner would turn around whenever it believes that nothing waits
  where w.ctid = any (array(
    select w.place
    from unnest($1::uuid[], $2::uuid[], $3::int[], $6::float8[]) as r (account_id, endpoint_id, room, due_from_ms)
    join endpoint e on e.account_id = r.account_id and e.id = r.endpoint_id
      and e.status = 'enabled' and e.deleted_at is null
      and e.rate_limit_per_second is null and e.draining_since is null
    -- one short index range for each endpoint: a million waiting rows of one cost the others nothing; a row that
    -- another process is just taking is skipped, not waited for
    cross join lateral (
      select w.ctid as place from waiting w
      where w.endpoint_id = e.id and w.due_at >= to_timestamp(r.due_from_ms / 1000) and w.due_at <= now()
      order by w.due_at
      limit r.room
      for update skip locked
    ) w
  ))
  returning w.*
),
${insertHeld}
select t.account_id, t.endpoint_id, t.delivery_id, t.event_id, e.version, e.failing_since is not null as failing,
  t.sequence, ${holdOfDue} as hold, t.claim + 1 as claim, ${lostClaims} as lost_claims, t.attempt_count, t.retries_used, t.trigger,
  t.was_delivered, v.body
from due t
join endpoint e on e.account_id = t.account_id and e.id = t.endpoint_id
${bodyOfTaken}
where ${isHeld}
order by t.sequence`,
}
