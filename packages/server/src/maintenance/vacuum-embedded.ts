import type { Queryable } from '../db/database.ts'

/** A table needs a vacuum if it has more dead rows than this plus a share of its live rows. */
const deadRowsMin = 500
const deadShare = 0.02

/**
 * Vacuums and analyzes the tables that need it, because PGlite has no autovacuum. Otherwise claims would read all dead rows
 * of the queue, with plans made for an empty table.
 */
export async function vacuumEmbedded(db: Queryable): Promise<{ vacuumed: string[] }> {
  const tables = await db.query<{ name: string }>(
    `select relname as name from pg_stat_user_tables
     where n_dead_tup > $1 + $2::float8 * n_live_tup or n_mod_since_analyze > $1 + 5 * $2::float8 * n_live_tup
     order by relname`,
    [deadRowsMin, deadShare],
  )
  for (const { name } of tables) await db.query(`vacuum (analyze) "${name}"`)
  return { vacuumed: tables.map(({ name }) => name) }
}
