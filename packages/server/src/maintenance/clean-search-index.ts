import type { Queryable } from '../db/database.ts'

/**
 * Moves the pending entries of the GIN index on search keys into its main part. PostgreSQL does this itself when the pending
 * list is full, but then one accept statement takes a second. Called often, this keeps the list short.
 */
export async function cleanSearchIndex(db: Queryable): Promise<{ pages: number }> {
  const [row] = await db.query<{ pages: number }>(
    `select coalesce(sum(gin_clean_pending_list(inhrelid)), 0)::int as pages
     from pg_inherits where inhparent = 'event_search'::regclass`,
  )
  return { pages: row?.pages ?? 0 }
}
