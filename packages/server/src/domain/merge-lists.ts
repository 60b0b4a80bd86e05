import { encodeCursor } from './cursor.ts'
import { type IdPrefix, parseTypeId } from './type-id.ts'

interface Page<Item> {
  data: Item[]
  next_cursor: string | null
}

/**
 * Merges the pages of one list from several shards into one page. Each list of the operator is ordered by id, newest first,
 * and its cursor is the id of the last item. So the same cursor continues the list on every shard.
 *
 * @param pages read with the same cursor, each with at least `limit` items unless the shard has no more
 * @param prefix of the ids in the list
 */
export function mergeLists<Item extends { readonly id: string }>(
  pages: ReadonlyArray<Page<Item>>,
  limit: number,
  prefix: IdPrefix,
): Page<Item> {
  const items = pages.flatMap(page => page.data).sort(newestFirst)
  const shown = items.slice(0, limit)
  const hasMore = items.length > limit || pages.some(page => page.next_cursor !== null)
  const last = shown.at(-1)
  const lastId = last === undefined ? null : parseTypeId(prefix, last.id)
  return { data: shown, next_cursor: hasMore && lastId !== null ? encodeCursor([lastId]) : null }
}

/** A TypeID has the order of its UUID. */
function newestFirst(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}
