import type { Queryable } from '../db/database.ts'

/** How far ahead a correct clock may set a time, in milliseconds. */
export interface LongestWaits {
  /** The longest wait until something is due. */
  waitMs: number
  leaseMs: number
}

/** How many deliveries and emails would have been due too late and are due now. */
export interface RepairedDueTimes {
  deliveries: number
  emails: number
}

/**
 * Repairs times that were written while the database's clock was ahead. A due time beyond the longest wait becomes now, and
 * the endpoint's backlog drains slowly, as after enabling the endpoint. A lease beyond the longest lease is shortened. It
 * reads the whole queue, so call it only when the clock is trusted again. Calling it twice does no harm.
 */
export async function repairDueTimes(db: Queryable, longest: LongestWaits): Promise<RepairedDueTimes> {
  const { waitMs, leaseMs } = longest
  const deliveries = await inBatches(db, repairDeliveries, [waitMs])
  const emails = await inBatches(db, repairHandovers, [waitMs, leaseMs])
  await db.query(
    // an erasure waits one second longer than a lease, which is the longest that an attempt can take
    `update erasure set under_way_until = ${after('$1')} where state = 'running' and under_way_until > ${after('$1')}`,
    [leaseMs + 1_000],
  )
  await db.query(`update replay set paced_at = now() where state = 'running' and paced_at > now()`)
  return { deliveries, emails }
}

const batchRows = 10_000

/** Runs each batch as its own statement, so that none exceeds the statement timeout. */
async function inBatches(db: Queryable, statement: string, values: readonly number[]): Promise<number> {
  let total = 0
  for (;;) {
    const [row] = await db.query<{ repaired: number }>(statement, values)
    if (row === undefined || row.repaired === 0) return total
    total += row.repaired
  }
}

function after(ms: string): string {
  return `now() + ${ms}::float8 * interval '1 millisecond'`
}

// skip locked: another process repairs the locked rows
const repairDeliveries = `
with far as materialized (
  select q.place, e.account_id, e.id from endpoint e
  cross join lateral (
    select q.ctid as place from queue q
    where q.endpoint_id = e.id and q.process is null and q.due_at > ${after('$1')}
    limit ${batchRows}
    for update skip locked
  ) q
  limit ${batchRows}
),
endpoints as materialized (
  select account_id, id from endpoint where id in (select id from far)
  order by account_id, id
  for no key update
),
paced as (
  update endpoint e set draining_since = coalesce(e.draining_since, now())
  from endpoints p
  where e.account_id = p.account_id and e.id = p.id and e.status = 'enabled' and e.deleted_at is null
),
repaired as (
  update queue set due_at = now() where ctid = any (array(select place from far)) returning 1
)
select count(*)::int as repaired from repaired`

// the due time of a claimed handover is the end of its lease
const repairHandovers = `
with repaired as (
  update handover set due_at = case when taken_by is null then now() else ${after('$2')} end
  where ctid = any (array(
    select ctid from handover where due_at > case when taken_by is null then ${after('$1')} else ${after('$2')} end
    limit ${batchRows}
    for update skip locked
  ))
  returning 1
)
select count(*)::int as repaired from repaired`
