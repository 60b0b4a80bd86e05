import type { Queryable } from '../db/database.ts'
import type { RetryPolicy } from '../domain/backoff.ts'

/** From how many processes on that died with it a delivery is suspected to kill them. */
const suspectedFrom = 3

/** A row that was written so far in the future was written while the database's clock was ahead: its lease ends too late. */
const aheadSecondsMax = 10

export type WhoseDeliveries =
  /** Of this process, which gives them back. */
  | { number: number }
  /** Of all processes whose lease has ended, and died with what they held. */
  | { expired: true; retry: RetryPolicy }
  /** Of all processes: no other can live beside this one. */
  | { everybody: true; retry: RetryPolicy }

/**
 * Puts what processes held back into the queue and removes their rows, in one transaction. Each waits for the settlements
 * that have locked its row. Deliveries that several processes died with become due after the ordinary backoff with full
 * jitter, so that one that kills its process rarely meets the same neighbors again.
 */
export async function recover(db: Queryable, whose: WhoseDeliveries): Promise<{ recovered: number }> {
  return await db.transaction(async tx => {
    const numbers = await lockProcesses(tx, whose)
    if (numbers.length === 0) return { recovered: 0 }
    const [row] = await tx.query<{ recovered: number }>(freeStatement, [
      numbers,
      'number' in whose ? 0 : 1,
      suspectedFrom,
      'number' in whose ? 0 : whose.retry.baseSeconds,
      'number' in whose ? 0 : whose.retry.capSeconds,
    ])
    await tx.query('delete from process where number = any($1::bigint[])', [numbers])
    return { recovered: row?.recovered ?? 0 }
  })
}

async function lockProcesses(tx: Queryable, whose: WhoseDeliveries): Promise<number[]> {
  const rows = await tx.query<{ number: number }>(
    `select number from process
     where number = $1
       or ($2 and (leased_until <= now() or last_seen_at > now() + ${aheadSecondsMax} * interval '1 second'))
       or $3
     order by number
     for update`,
    ['number' in whose ? whose.number : null, 'expired' in whose, 'everybody' in whose],
  )
  return rows.map(row => row.number)
}

const freeStatement = `
with held as materialized (
  -- in key order, as everybody who locks rows of the queue
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
