import type { Queryable } from '../db/database.ts'

/** Up to here deliveries are counted one by one. */
const countedMax = 100_000

export interface Queue {
  /** Deliveries that are not finished; beyond 100,000 an estimate. */
  waiting: number
  /** Of enabled endpoints' deliveries that nobody holds; 0 when none is due. */
  oldestDueSeconds: number
}

/** How much is queued, and how old the oldest is of what could be sent; bounded however much it is. */
export async function readQueue(db: Queryable): Promise<Queue> {
  const [row] = await db.query<{ counted: number; estimate: number; oldest: number | null }>(
    // along queue_due from endpoint to endpoint, the first due of each
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
