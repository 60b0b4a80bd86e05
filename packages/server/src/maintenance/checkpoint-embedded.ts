import type { Queryable } from '../db/database.ts'

/** Log since the last checkpoint from which another is worth its writes: what a start after a crash reads again. */
const logBytesMax = 64 * 2 ** 20

/**
 * Bounds how much is read again after a crash, as the checkpointer does on a server: PGlite has none, and without it the
 * log would grow until the service is stopped in order.
 * @returns whether a checkpoint was made
 */
export async function checkpointEmbedded(
  db: Queryable,
  bytesMax = logBytesMax,
): Promise<{ checkpointed: boolean }> {
  const [log] = await db.query<{ bytes: number }>(
    `select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes from pg_control_checkpoint()`,
  )
  if (log === undefined || log.bytes <= bytesMax) return { checkpointed: false }
  await db.query('checkpoint')
  return { checkpointed: true }
}
