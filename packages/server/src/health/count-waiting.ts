import type { Queryable } from '../db/database.ts'
import { endpointQueue } from '../deliveries/endpoint-queue.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

/** How many deliveries wait for an endpoint, and when the oldest was created. */
export async function countWaiting(
  db: Queryable,
  endpointId: string,
): Promise<{ waiting: number; oldestMs: number | null }> {
  const [row] = await db.query<{ waiting: number; oldest: string | null }>(
    // ids start with their time, and sort in the same order as text
    `select count(*) as waiting, min(delivery_id::text) as oldest from ${endpointQueue('$1')} q`,
    [endpointId],
  )
  const oldest = row?.oldest ?? null
  return { waiting: row?.waiting ?? 0, oldestMs: oldest === null ? null : uuidV7Ms(oldest) }
}
