import { type Database, DatabaseReadOnlyError } from './db/database.ts'
import { expectedSchemaVersion } from './db/migrate.ts'
import { type ClockSkew, skewMsMax } from './clock-skew.ts'
import { ensurePartitions } from './maintenance/ensure-partitions.ts'

/**
 * Whether this process can do its work: the database answers and takes writes, its schema is at least this build's and
 * not marked as breaking for it, there are partitions to store reports in, and the two clocks agree to a minute
 * (decisions §1).
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
      return notReady(`the schema is at version ${schema?.version ?? 0}, this build needs ${expected}`)
    }
    if (schema.breaks) return notReady('the schema was migrated to one that this build cannot run on')
    await clockSkew.check()
  } catch (error) {
    if (!(error instanceof DatabaseReadOnlyError)) return notReady('the database does not answer')
    return notReady('the database is read-only: make it writable again, or promote a standby')
  }
  try {
    await ensurePartitions(db, clockSkew.databaseMs)
  } catch {
    return notReady('the partitions of today are missing and cannot be made: reports cannot be stored')
  }
  return clockSkew.tolerable
    ? { ready: true }
    : notReady(`this clock and the database’s differ by more than ${skewMsMax / 1_000} seconds`)
}

/**
 * Locks nothing and writes nothing, and a read-only server refuses it. The error makes the pool drop the connection, because
 * a session may stay read-only after the server is writable again.
 */
const refusedWhenReadOnly = 'select from schema_migration where false for update'

function notReady(reason: string): { ready: false; reason: string } {
  return { ready: false, reason }
}
