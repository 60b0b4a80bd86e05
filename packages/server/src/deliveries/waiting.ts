import { aheadMax, type Delivery } from '@posthorn/contract'
import { waitingFor } from '../domain/waiting-for.ts'
import { givenUp } from '../stats/attempt-counts.ts'

/** What an unfinished delivery waits for, as JSON in the row of the delivery. Times are in milliseconds since the epoch. */
export interface WaitingRow {
  now_ms: number
  due_ms: number
  is_held: boolean
  is_behind: boolean | null
  queued_ahead?: number
  held_ahead?: number
  attempts_per_second?: number | null
  /** Null if the endpoint was deleted: then nothing is sent. */
  endpoint: {
    is_enabled: boolean
    is_draining: boolean
    rate_limit: number | null
    bucket_tokens: number
    bucket_at_ms: number
  } | null
}

/**
 * A scalar subquery for the delivery `d`. It finds the queue row by key alone, and all else by scalar subqueries: if the
 * queue is empty when the plan is made, a join or a semi-join would make the planner read a whole table or index.
 */
export function selectWaiting(counted: boolean): string {
  return `(
        select json_build_object(
          'now_ms', ${milliseconds('now()')}, 'due_ms', ${milliseconds('q.due_at')}, 'is_held', q.process is not null,
          'is_behind', case when q.process is null then ${isBehind} end,
          ${counted ? counts : ''}
          'endpoint', (
            select json_build_object('is_enabled', e.status <> 'disabled', 'is_draining', e.draining_since is not null,
              'rate_limit', e.rate_limit_per_second, 'bucket_tokens', e.bucket_tokens,
              'bucket_at_ms', ${milliseconds('e.bucket_at')})
            from endpoint e
            where e.account_id = q.account_id and e.id = q.endpoint_id and e.deleted_at is null
          )
        )
        from queue q where q.account_id = d.account_id and q.delivery_id = d.id
      )`
}

function milliseconds(moment: string): string {
  return `floor(extract(epoch from ${moment}) * 1000)`
}

/** What processes have claimed. */
const held = `select from queue h where h.process = any (array(select number from process)) and h.endpoint_id = q.endpoint_id`

/**
 * Read backwards from the delivery, because the entries of claimed deliveries are at the beginning. One with the same due
 * time counts, although claims may take it later: finding out would take too long for a list.
 */
const isBehind = `coalesce(
            case when not q.goes_first then (
              select true from queue b
              where b.endpoint_id = q.endpoint_id and b.process is null and b.due_at <= q.due_at and b.ctid <> q.ctid
              order by b.due_at desc limit 1
            ) end,
            (select true from (${held} limit 1) h),
            false)`

const queuedAhead = `case when q.goes_first then 0 else (
            select count(*) from (
              select from queue b
              where b.endpoint_id = q.endpoint_id and b.process is null and not b.goes_first and b.due_at <= q.due_at
                -- claims take rows with the same due time in this order
                and (b.due_at < q.due_at or b.ctid < q.ctid)
              order by b.due_at desc limit ${aheadMax}
            ) b
          ) end + (
            select count(*) from (
              select from queue b
              where b.endpoint_id = q.endpoint_id and b.process is null and b.goes_first
                and b.due_at < case when q.goes_first then q.due_at else greatest(q.due_at, now()) end
              order by b.due_at limit ${aheadMax}
            ) b
          )`

/** The attempts of the last complete minute and the current one. */
const attemptsPerSecond = `(
            select sum(s.count)::float8 / extract(epoch from now() - date_trunc('minute', now() - interval '1 minute'))
            from attempt_stat s
            where s.account_id = q.account_id and s.endpoint_id = q.endpoint_id
              and s.at >= date_trunc('minute', now() - interval '1 minute') and s.result <> '${givenUp}'
          )`

const counts = `'queued_ahead', ${queuedAhead}, 'held_ahead', (select count(*) from (${held} limit ${aheadMax}) h),
          'attempts_per_second', ${attemptsPerSecond},`

/** The fields of a delivery that say when it is sent. */
export function toWaiting(
  row: WaitingRow | null,
  drainPerSecond: number,
): Pick<Delivery, 'next_attempt_at' | 'waiting_for'> {
  if (row === null || row.endpoint === null) return { next_attempt_at: null, waiting_for: null }
  const { queued_ahead: queued, held_ahead: held = 0, endpoint } = row
  const waiting = waitingFor(
    {
      nowMs: row.now_ms,
      dueAtMs: row.due_ms,
      isHeld: row.is_held,
      isEnabled: endpoint.is_enabled,
      isDraining: endpoint.is_draining,
      rateLimitPerSecond: endpoint.rate_limit,
      bucketTokens: endpoint.bucket_tokens,
      bucketAtMs: endpoint.bucket_at_ms,
      isBehind: queued === undefined ? row.is_behind === true : queued + held > 0,
      ahead: queued === undefined ? null : { queued, held },
      attemptsPerSecond: row.attempts_per_second ?? null,
    },
    { drainPerSecond, aheadMax },
  )
  if (waiting === null) return { next_attempt_at: null, waiting_for: null }
  return {
    next_attempt_at: waiting.reason === 'retry' ? isoOf(row.due_ms) : null,
    waiting_for: {
      reason: waiting.reason,
      ahead: waiting.ahead,
      estimated_at: waiting.estimatedAtMs === null ? null : isoOf(waiting.estimatedAtMs),
    },
  }
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
