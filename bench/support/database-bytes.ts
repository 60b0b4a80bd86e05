import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { openPlace } from './open-place.ts'

/** What a database has written to its log so far, and what its tables and indexes occupy, in bytes. */
export interface DatabaseBytes {
  log: number
  stored: number
}

/** Reads it from a PostgreSQL server; null for the embedded database, which nobody else can ask. */
export async function databaseBytes(place: DatabasePlace): Promise<DatabaseBytes | null> {
  if (place.databaseUrl === null) return null
  await using db = await openPlace(place)
  const [row] = await db.query<DatabaseBytes>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as log,
       (select sum(pg_total_relation_size(oid)) from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace)::float8 as stored`,
  )
  return row ?? null
}
