import type { Queryable } from '../db/database.ts'

/** Recovery after a crash reads the WAL since the last checkpoint, so this limits how long a start takes. */
const walBytesMax = 64 * 2 ** 20

/**
 * Makes a checkpoint when the WAL has grown, as the checkpointer of a server does. PGlite has none, so the WAL would grow
 * until the service stops.
 */
export async function checkpointEmbedded(
  db: Queryable,
  bytesMax = walBytesMax,
): Promise<{ checkpointed: boolean }> {
  const [wal] = await db.query<{ bytes: number }>(
    `select (pg_current_wal_insert_lsn() - redo_lsn)::float8 as bytes from pg_control_checkpoint()`,
  )
  if (wal === undefined || wal.bytes <= bytesMax) return { checkpointed: false }
  await db.query('checkpoint')
  return { checkpointed: true }
}
