import type { Queryable } from '../db/database.ts'
import { ensurePartitions, partitionedTables } from '../maintenance/ensure-partitions.ts'
import type { Move } from './moved-account.ts'

/** Creates the days on the other shard that the source has: without its day, a row cannot be stored. */
export async function copyMissingPartitions({ source, target }: Move): Promise<void> {
  const there = new Set(await partitions(target.db))
  const missing = (await partitions(source.db)).filter(name => !there.has(name))
  for (const day of new Set(missing.map(name => name.slice(-8)))) {
    await ensurePartitions(
      target.db,
      Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T12:00:00Z`),
    )
  }
}

/** Their names, which end with the day. */
async function partitions(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select child.relname as name
     from pg_inherits join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
     where parent.relname = any($1)`,
    [partitionedTables.map(({ table }) => table)],
  )
  return rows.map(row => row.name)
}
