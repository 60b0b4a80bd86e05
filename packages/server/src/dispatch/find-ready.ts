import type { Queryable } from '../db/database.ts'

/** An enabled endpoint with something due that nobody holds. */
export interface ReadyEndpoint {
  accountId: string
  endpointId: string
  failuresInRow: number
  /** It has a rate limit or drains a backlog: `claimPaced` takes from it. */
  paced: boolean
}

export interface Readiness {
  ready: ReadyEndpoint[]
  /** Milliseconds until the next delivery of an enabled endpoint becomes due, or null when none waits. */
  nextDueInMs: number | null
}

/**
 * Finds out which endpoints have something due by jumping from endpoint to endpoint through the index
 * (endpoint, due_at): one short descent for each, however many rows wait. Once for each wake-up.
 */
export async function findReady(db: Queryable): Promise<Readiness> {
  const rows = await db.query<{
    account_id: string
    endpoint_id: string
    failures_in_row: number
    paced: boolean
    due_in_ms: number
  }>(findReadyStatement)
  const readiness: Readiness = { ready: [], nextDueInMs: null }
  for (const row of rows) {
    if (row.due_in_ms <= 0) {
      const { account_id: accountId, endpoint_id: endpointId, failures_in_row: failuresInRow, paced } = row
      readiness.ready.push({ accountId, endpointId, failuresInRow, paced })
    } else {
      readiness.nextDueInMs = Math.min(readiness.nextDueInMs ?? Number.POSITIVE_INFINITY, row.due_in_ms)
    }
  }
  return readiness
}

const findReadyStatement = {
  name: 'find-ready',
  text: `
with recursive first_due as (
  (select endpoint_id, due_at from waiting order by endpoint_id, due_at limit 1)
  union all
  select next.* from first_due, lateral (
    select w.endpoint_id, w.due_at from waiting w
    where w.endpoint_id > first_due.endpoint_id
    order by w.endpoint_id, w.due_at limit 1
  ) next
)
select e.account_id, e.id as endpoint_id, e.failures_in_row,
  e.rate_limit_per_second is not null or e.draining_since is not null as paced,
  extract(epoch from f.due_at - clock_timestamp())::float8 * 1000 as due_in_ms
from first_due f join endpoint e
  on e.id = f.endpoint_id and e.status = 'enabled' and e.deleted_at is null`,
}
