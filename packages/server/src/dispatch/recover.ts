import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'

/** A delivery waits for a backoff once this many processes died with it, because it may be poison. */
const backoffFrom = 3

/** A row this far in the future was written while the database's clock was ahead. */
const aheadSecondsMax = 10

export type RecoveredProcesses =
  /** This process ends, or registers again. */
  | { number: number }
  /** Processes whose lease expired: they died. */
  | { expired: true; retry: RetryPolicy }
  /** All processes, because no other can run beside this one. */
  | { all: true; retry: RetryPolicy }

/**
 * Puts the deliveries that processes hold into the queue again and deletes the rows of the processes, in one transaction. It
 * waits for settlements that have locked those rows. A delivery that several processes died with becomes due after the ordinary
 * backoff with full jitter, so that it rarely runs beside the same deliveries again.
 */
export async function recover(db: Queryable, which: RecoveredProcesses): Promise<{ recovered: number }> {
  if ('expired' in which) await shortenLeases(db)
  return await db.transaction(async tx => {
    const numbers = await lockProcesses(tx, which)
    if (numbers.length === 0) return { recovered: 0 }
    const [row] = await tx.query<{ recovered: number }>(freeStatement, [
      numbers,
      'number' in which ? 0 : 1,
      backoffFrom,
      'number' in which ? 0 : which.retry.baseSeconds,
      'number' in which ? 0 : which.retry.capSeconds,
    ])
    await tx.query('delete from process where number = any($1::bigint[])', [numbers])
    return { recovered: row?.recovered ?? 0 }
  })
}

/** Shortens each lease that was written while the clock was ahead: it now ends as if it had been renewed just now. */
async function shortenLeases(db: Queryable): Promise<void> {
  await db.query(
    `update process set leased_until = now() + (leased_until - last_seen_at), last_seen_at = now()
     where number in (
       select number from process where last_seen_at > now() + ${aheadSecondsMax} * interval '1 second'
       for no key update skip locked
     )`,
  )
}

async function lockProcesses(tx: Queryable, which: RecoveredProcesses): Promise<number[]> {
  const rows = await tx.query<{ number: number }>(
    `select number from process
     where number = $1 or ($2 and leased_until <= now()) or $3
     order by number
     for update`,
    ['number' in which ? which.number : null, 'expired' in which, 'all' in which],
  )
  return rows.map(row => row.number)
}

const freeStatement = `
with held as materialized (
  -- all statements lock rows of the queue in this order
  select account_id, delivery_id, lost_claims + $2::int as lost from queue
  where process is not null and process = any($1::bigint[])
  order by delivery_id
  for update
),
freed as (
  update queue q set process = null, lost_claims = h.lost,
    due_at = now() + case when h.lost < $3::int then interval '0'
      else random() * least($5::float8, $4::float8 * 2 ^ (h.lost - $3::int)) * interval '1 second' end
  from held h where q.account_id = h.account_id and q.delivery_id = h.delivery_id
  returning 1
)
select count(*)::int as recovered from freed`
