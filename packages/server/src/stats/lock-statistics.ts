import type { Queryable } from '../db/database.ts'

/** A number that no other advisory lock of Posthorn uses. */
const advisoryLock = 0x73746174

/** Serializes recounting and merging, because a row must not be merged while it is replaced. */
export async function lockStatistics(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [advisoryLock])
}
