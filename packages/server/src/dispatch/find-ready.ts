import { elements } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'

/** An enabled endpoint with something due that nobody holds. */
export interface ReadyEndpoint {
  accountId: string
  endpointId: string
  failuresInRow: number
  /** It has a rate limit or drains a backlog: `claimPaced` takes from it. */
  paced: boolean
  /** Nothing that waits for it is due before this moment, in milliseconds since the epoch; absent where that is not known. */
  dueFromMs?: number
}

export interface Readiness {
  ready: ReadyEndpoint[]
  /** The last endpoint that was looked at, from which the next part goes on; null when there is none behind it. */
  last: string | null
}

/** Where a look begins. */
export const firstEndpoint = '00000000-0000-0000-0000-000000000000'

/** Endpoints looked at in one statement: some milliseconds. */
const endpointsMax = 500

/**
 * What begins to wait is due from then on, but is not seen before it is committed. A statement that takes longer than this may
 * leave something before the first that a look sees, and so may leases that are over, which are due since then: the next look
 * finds it.
 */
const unseenMsMax = 5_000

/**
 * Finds out which endpoints have something due by jumping from endpoint to endpoint through the index
 * (endpoint, due_at): one short descent for each, however many rows wait. Where thousands have something waiting it
 * takes a part of them, so that nobody waits for the rest.
 * @param after the endpoint behind which it begins
 */
export async function findReady(db: Queryable, after: string): Promise<Readiness> {
  const [row] = await db.query<ReadyRow>(findReadyStatement, [after, endpointsMax, unseenMsMax])
  const endpointIds = elements(row?.endpoint_ids ?? null)
  const accountIds = elements(row?.account_ids ?? null)
  const failuresInRow = elements(row?.failures_in_row ?? null)
  const paced = elements(row?.paced ?? null)
  const dueFromMs = elements(row?.due_from_ms ?? null)
  const ready = endpointIds.map((endpointId, n) => ({
    accountId: accountIds[n] ?? '',
    endpointId,
    failuresInRow: Number(failuresInRow[n]),
    paced: paced[n] === 't',
    dueFromMs: Number(dueFromMs[n]),
  }))
  return { ready, last: row?.last ?? null }
}

/** All of them in one row, a list for each column: the driver takes longer over a row than the database over an endpoint. */
interface ReadyRow {
  last: string | null
  account_ids: string | null
  endpoint_ids: string | null
  failures_in_row: string | null
  paced: string | null
  due_from_ms: string | null
}

const findReadyStatement = {
  name: 'find-ready',
  text: `
with recursive first_due as (
  (select endpoint_id, due_at, 1 as n from waiting where endpoint_id > $1 order by endpoint_id, due_at limit 1)
  union all
  select next.*, first_due.n + 1 from first_due, lateral (
    select w.endpoint_id, w.due_at from waiting w
    where w.endpoint_id > first_due.endpoint_id
    order by w.endpoint_id, w.due_at limit 1
  ) next
  where first_due.n < $2
)
select (select endpoint_id from first_due where n = $2) as last,
  array_agg(e.account_id)::text as account_ids, array_agg(e.id)::text as endpoint_ids,
  array_agg(e.failures_in_row)::text as failures_in_row,
  array_agg(e.rate_limit_per_second is not null or e.draining_since is not null)::text as paced,
  array_agg(floor(extract(epoch from least(f.due_at, now() - $3::int * interval '1 millisecond')) * 1000))::text as due_from_ms
from first_due f join endpoint e
  on e.id = f.endpoint_id and e.status = 'enabled' and e.deleted_at is null
where f.due_at <= now()`,
}
