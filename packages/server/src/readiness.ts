import { type Database, DatabaseReadOnlyError } from './db/database.ts'
import { expectedSchemaVersion } from './db/migrate.ts'
import { type ClockSkew, skewMsMax } from './clock-skew.ts'
import { ensurePartitions } from './maintenance/ensure-partitions.ts'

/**
 * Whether this process can work: the database accepts writes, its schema fits this build, there are partitions for
 * reports, and the clocks differ by at most a minute.
 */
export async function checkReadiness(
  db: Pick<Database, 'query' | 'transaction' | 'trouble'>,
  clockSkew: ClockSkew,
): Promise<{ ready: true } | { ready: false; reason: string }> {
  const trouble = db.trouble()
  if (trouble !== null) return notReady(trouble)
  try {
    await db.query(refusedWhenReadOnly)
    const expected = await expectedSchemaVersion()
    const [schema] = await db.query<{ version: number; breaks: boolean }>(
      `select coalesce(max(version), 0) as version, coalesce(bool_or(breaking and version > $1), false) as breaks
       from schema_migration`,
      [expected],
    )
    if (schema === undefined || schema.version < expected) {
      return notReady(`the schema is at version ${schema?.version ?? 0}, but this build needs ${expected}`)
    }
    if (schema.breaks) return notReady('a newer Posthorn has migrated the schema: upgrade this process')
    await clockSkew.check()
  } catch (error) {
    if (!(error instanceof DatabaseReadOnlyError)) return notReady('the database does not answer')
    return notReady('the database is read-only: if another server has taken over, name it in DATABASE_URL')
  }
  try {
    await ensurePartitions(db, clockSkew.databaseMs)
  } catch {
    return notReady('Posthorn cannot store reports, because it cannot create the partitions of today')
  }
  return clockSkew.tolerable
    ? { ready: true }
    : notReady(
        `the clocks of this process and of the database differ by more than ${skewMsMax / 1_000} seconds`,
      )
}

/**
 * Writes and locks nothing, but fails on a read-only server. The error makes the pool drop the connection, because the
 * session may stay read-only when the server is writable again.
 */
const refusedWhenReadOnly = 'select from schema_migration where false for update'

function notReady(reason: string): { ready: false; reason: string } {
  return { ready: false, reason }
}
