import type { Queryable } from '../db/database.ts'

/**
 * Files the search keys of new events into their index. PostgreSQL keeps new entries of such an index in a list and files
 * them when the list is full, in whatever statement comes next: an accept statement then takes a second. Filed from here
 * again and again, the list never gets full, and nobody waits. Answers how many pages were filed.
 */
export async function fileSearchKeys(db: Queryable): Promise<{ pages: number }> {
  const [row] = await db.query<{ pages: number }>(
    `select coalesce(sum(gin_clean_pending_list(inhrelid)), 0)::int as pages
     from pg_inherits where inhparent = 'event_search'::regclass`,
  )
  return { pages: row?.pages ?? 0 }
}
