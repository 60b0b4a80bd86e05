import type { Queryable } from '../db/database.ts'

/** Up to this number, deliveries are counted exactly. */
const countedMax = 100_000

export interface Queue {
  /** Unfinished deliveries; an estimate above 100,000. */
  waiting: number
  /** How late the oldest unclaimed delivery of an enabled endpoint is; 0 if none is due. */
  oldestDueSeconds: number
}

/** Reads the size of the queue and how late it is, in bounded time. */
export async function readQueue(db: Queryable): Promise<Queue> {
  const [row] = await db.query<{ counted: number; estimate: number; oldest: number | null }>(
    // jumps along queue_due from endpoint to endpoint, to the first due delivery of each
    `with recursive first_due as (
      (select endpoint_id, due_at from queue where process is null order by endpoint_id, due_at limit 1)
      union all
      select next.* from first_due, lateral (
        select q.endpoint_id, q.due_at from queue q
        where q.process is null and q.endpoint_id > first_due.endpoint_id
        order by q.endpoint_id, q.due_at limit 1
      ) next
    )
    select (select count(*) from (select from queue limit $1 + 1) q) as counted,
      (select greatest(reltuples, 0)::float8 from pg_class where oid = 'queue'::regclass) as estimate,
      (select extract(epoch from now() - min(f.due_at))::float8 from first_due f join endpoint e
         on e.id = f.endpoint_id and e.status = 'enabled') as oldest`,
    [countedMax],
  )
  const counted = row?.counted ?? 0
  return {
    waiting: counted > countedMax ? Math.max(counted, row?.estimate ?? 0) : counted,
    oldestDueSeconds: Math.max(0, row?.oldest ?? 0),
  }
}
