import { elements } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'

/** An enabled endpoint with a due delivery that no process holds. */
export interface DueEndpoint {
  accountId: string
  endpointId: string
  failuresInRow: number
  /** It has a rate limit or drains a backlog. */
  limited: boolean
  /** Nothing of it is due earlier, in milliseconds since the epoch: a claim skips the dead rows of older claims. */
  dueFromMs?: number
}

export interface FoundDue {
  found: DueEndpoint[]
  /** Everything due before this moment was visible, in milliseconds since the epoch. */
  completeToMs: number
  /** The last endpoint of this step, or null if none is left. */
  last: string | null
}

/** Where a scan starts. */
export const firstEndpoint = '00000000-0000-0000-0000-000000000000'

/** Endpoints scanned by one statement, which takes some milliseconds. */
const endpointsMax = 500

/** A row is due when its statement starts, but visible only after the commit; a full scan finds those of longer statements. */
const uncommittedMsMax = 5_000

/**
 * Finds the endpoints that have something due by skipping from endpoint to endpoint through the index of due rows: one index
 * lookup for each endpoint, however many rows are due.
 * @param after scans the endpoints after this one
 * @param dueSinceMs skips what became due before this moment, and with it dead rows that an old snapshot keeps
 */
export async function findDue(db: Queryable, after: string, dueSinceMs = 0): Promise<FoundDue> {
  const [row] = await db.query<Row>(statement, [after, endpointsMax, uncommittedMsMax, dueSinceMs])
  const endpointIds = elements(row?.endpoint_ids ?? null)
  const accountIds = elements(row?.account_ids ?? null)
  const failuresInRow = elements(row?.failures_in_row ?? null)
  const limited = elements(row?.limited ?? null)
  const dueFromMs = elements(row?.due_from_ms ?? null)
  const found = endpointIds.map((endpointId, n) => ({
    accountId: accountIds[n] ?? '',
    endpointId,
    failuresInRow: Number(failuresInRow[n]),
    limited: limited[n] === 't',
    dueFromMs: Number(dueFromMs[n]),
  }))
  return { found, last: row?.last ?? null, completeToMs: row?.complete_to_ms ?? 0 }
}

/** One row with a list for each column, because the driver is slow with many rows. */
interface Row {
  last: string | null
  complete_to_ms: number
  account_ids: string | null
  endpoint_ids: string | null
  failures_in_row: string | null
  limited: string | null
  due_from_ms: string | null
}

const statement = {
  name: 'find-due',
  text: `
with recursive first_due as (
  (select endpoint_id, due_at, 1 as n from queue
   where process is null and endpoint_id > $1 and due_at >= to_timestamp($4::float8 / 1000) order by endpoint_id, due_at limit 1)
  union all
  select next.*, first_due.n + 1 from first_due, lateral (
    select q.endpoint_id, q.due_at from queue q
    where q.process is null and q.endpoint_id > first_due.endpoint_id and q.due_at >= to_timestamp($4::float8 / 1000)
    order by q.endpoint_id, q.due_at limit 1
  ) next
  where first_due.n < $2
)
select (select endpoint_id from first_due where n = $2) as last,
  floor(extract(epoch from now()) * 1000)::float8 - $3::int as complete_to_ms,
  array_agg(e.account_id)::text as account_ids, array_agg(e.id)::text as endpoint_ids,
  array_agg(e.failures_in_row)::text as failures_in_row,
  array_agg(e.rate_limit_per_second is not null or e.draining_since is not null)::text as limited,
  array_agg(floor(extract(epoch from least(f.due_at, now() - $3::int * interval '1 millisecond')) * 1000))::text as due_from_ms
from first_due f join endpoint e
  on e.id = f.endpoint_id and e.status = 'enabled' and e.deleted_at is null
where f.due_at <= now()`,
}
