import type { Queryable } from '../db/database.ts'

/** Pages of a table in one statement, so that it locks at most some ten thousand rows. */
const pagesEach = 100

/**
 * Deletes the outcome ids and the recipient states of events from before an id, because both are kept as long as their
 * events. It reads each table once, in the order on disk: in the order of the random keys, each row of a large table would be
 * one random read.
 */
export async function forgetOutcomes(
  db: Queryable,
  beforeId: string,
): Promise<{ outcomes: number; recipients: number }> {
  return {
    outcomes: await forget(db, 'outcome_key', beforeId),
    recipients: await forget(db, 'recipient_state', beforeId),
  }
}

async function forget(
  db: Queryable,
  table: 'outcome_key' | 'recipient_state',
  beforeId: string,
): Promise<number> {
  const pages = await countPages(db, table)
  let forgotten = 0
  for (let page = 0; page < pages; page += pagesEach) {
    const rows = await db.query(
      `delete from ${table} where ctid >= $1::tid and ctid < $2::tid and event_id < $3 returning 1 as one`,
      [`(${page},0)`, `(${page + pagesEach},0)`, beforeId],
    )
    forgotten += rows.length
  }
  return forgotten
}

async function countPages(db: Queryable, table: string): Promise<number> {
  const [row] = await db.query<{ pages: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::float8 as pages`,
    [table],
  )
  return row?.pages ?? 0
}
