import type { Queryable } from '../db/database.ts'
import { sealedColumns } from './sealed-columns.ts'

/** The number of encrypted values by master key id. It reads whole tables, so use it only at a start or a key rotation. */
export async function countSealed(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ key_id: string; count: number }>(
    `select key_id, count(*) as count from (${everyKeyId}) as sealed group by key_id`,
  )
  return new Map(rows.map(({ key_id, count }) => [key_id, count]))
}

// a record has its key id in clear text, after the version and the length of the id; a truncated record has no id
const everyKeyId = sealedColumns
  .map(
    ({ table, column }) => `
select case when length(${column}) > 2
  then encode(substr(${column}, 3, get_byte(${column}, 1)), 'escape') else '' end as key_id
from ${table} where ${column} is not null`,
  )
  .join('\nunion all')
