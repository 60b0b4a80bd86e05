import type { Queryable } from '../db/database.ts'

/** How far ahead a time may lie that was written by a clock that was right. In milliseconds. */
export interface LongestWaits {
  /** Until something is due. */
  waitMs: number
  leaseMs: number
}

/** What is due now, and would have been due too late. */
export interface BroughtBack {
  deliveries: number
  emails: number
}

/**
 * Repairs times that were written while the database's clock was ahead. A due time further ahead than any wait becomes
 * now, and its endpoint drains at the pace of one that was enabled again, so that it does not get everything at once. A
 * handover's lease further ahead than any lease gets an ordinary one from now on. Reads the whole queue, so call it only
 * when the clock is trusted again. Running it twice does no harm.
 */
export async function bringBackDueTimes(db: Queryable, longest: LongestWaits): Promise<BroughtBack> {
  const { waitMs, leaseMs } = longest
  const deliveries = await inBatches(db, bringBackDeliveries, [waitMs])
  const emails = await inBatches(db, bringBackHandovers, [waitMs, leaseMs])
  await db.query(
    // an erasure waits a second longer than an attempt may be under way, which is a lease at most
    `update erasure set under_way_until = ${after('$1')} where state = 'running' and under_way_until > ${after('$1')}`,
    [leaseMs + 1_000],
  )
  await db.query(`update replay set paced_at = now() where state = 'running' and paced_at > now()`)
  return { deliveries, emails }
}

const batchRows = 10_000

/** A batch is a statement of its own, so that none takes longer than the database may for an answer. */
async function inBatches(db: Queryable, statement: string, values: readonly number[]): Promise<number> {
  let all = 0
  for (;;) {
    const [row] = await db.query<{ brought: number }>(statement, values)
    if (row === undefined || row.brought === 0) return all
    all += row.brought
  }
}

function after(ms: string): string {
  return `now() + ${ms}::float8 * interval '1 millisecond'`
}

// a row that somebody has locked is just being brought back by another process
const bringBackDeliveries = `
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
brought as (
  update queue set due_at = now() where ctid = any (array(select place from far)) returning 1
)
select count(*)::int as brought from brought`

// the due time of one that a process holds is the end of its lease
const bringBackHandovers = `
with brought as (
  update handover set due_at = case when taken_by is null then now() else ${after('$2')} end
  where ctid = any (array(
    select ctid from handover where due_at > case when taken_by is null then ${after('$1')} else ${after('$2')} end
    limit ${batchRows}
    for update skip locked
  ))
  returning 1
)
select count(*)::int as brought from brought`
