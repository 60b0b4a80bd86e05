import type { Queryable } from '../db/database.ts'

/** Any number that no other lock of this program uses. */
const advisoryLock = 0x73746174

/** Recounting and merging come one after another: a row must not be merged while it is being replaced. */
export async function lockStatistics(tx: Queryable): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1)', [advisoryLock])
}
