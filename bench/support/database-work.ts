import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'

/** What a database has done so far. */
export interface DatabaseWork {
  /** Bytes written to its log. */
  log: number
  /** Bytes that its tables and indexes occupy. */
  stored: number
  /**
   * That wrote anything, by the numbers that PostgreSQL gives them as they do; the hot path has one statement in each. What it
   * counts in `pg_stat_database` comes ten seconds late from connections that rest.
   */
  writingTransactions: number
}

/** Reads it from a PostgreSQL server; null for the embedded database, which nobody else can ask. */
export async function databaseWork(place: DatabasePlace): Promise<DatabaseWork | null> {
  if (place.databaseUrl === null) return null
  await using db = await openPlace(place)
  const [row] = await db.query<DatabaseWork>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as log,
       (select sum(pg_total_relation_size(oid)) from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace)::float8 as stored,
       pg_snapshot_xmax(pg_current_snapshot())::text::float8 as "writingTransactions"`,
  )
  return row ?? null
}
