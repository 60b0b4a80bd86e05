import type { Queryable } from '../db/database.ts'
import { sealedColumns } from './sealed-columns.ts'

/**
 * How many values are sealed under each master key, by its id. Whoever reads a whole table does so seldom: at a start,
 * and when a key is replaced.
 */
export async function countSealed(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ key_id: string; count: number }>(
    `select key_id, count(*) as count from (${everyKeyId}) as sealed group by key_id`,
  )
  return new Map(rows.map(({ key_id, count }) => [key_id, count]))
}

// the record says its key in clear, after its version and the length of the name; one that is cut off names none
const everyKeyId = sealedColumns
  .map(
    ({ table, column }) => `
select case when length(${column}) > 2
  then encode(substr(${column}, 3, get_byte(${column}, 1)), 'escape') else '' end as key_id
from ${table} where ${column} is not null`,
  )
  .join('\nunion all')
