import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'

/** What a database has done so far. */
export interface DatabaseWork {
  /** Bytes written to its log. */
  log: number
  /** Bytes that its tables and indexes occupy. */
  stored: number
  /** Committed. The hot path has one statement in each; what a connection did within its last second may be missing. */
  transactions: number
}

/** Reads it from a PostgreSQL server; null for the embedded database, which nobody else can ask. */
export async function databaseWork(place: DatabasePlace): Promise<DatabaseWork | null> {
  if (place.databaseUrl === null) return null
  await using db = await openPlace(place)
  const [row] = await db.query<DatabaseWork>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as log,
       (select sum(pg_total_relation_size(oid)) from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace)::float8 as stored,
       (select xact_commit from pg_stat_database where datname = current_database())::float8 as transactions`,
  )
  return row ?? null
}
