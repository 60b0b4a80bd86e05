import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'

/** The work of a database so far. */
export interface DatabaseWork {
  /** Bytes written to the WAL. */
  log: number
  /** The size of its tables and indexes in bytes. */
  stored: number
  /**
   * The number of writing transactions, from transaction ids, because idle connections update `pg_stat_database` ten seconds
   * late. On the hot path, each transaction has one statement.
   */
  writingTransactions: number
}

/** Queries a PostgreSQL server. Null for the embedded database, because no other process can query it. */
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
