import type { Queryable } from '../../src/db/database.ts'

/** Whether a statement in this database waits for another transaction's lock. */
export async function someoneWaits(db: Queryable): Promise<boolean> {
  const waiting = await db.query(
    `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return waiting.length > 0
}
