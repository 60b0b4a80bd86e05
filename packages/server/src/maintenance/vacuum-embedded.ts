import type { Queryable } from '../db/database.ts'

/** Dead rows from which a table is worth a vacuum, beside a share of its live ones. */
const deadRowsMin = 500
const deadShare = 0.02

/**
 * Vacuums and analyses the tables that need it, as autovacuum does on a server: PGlite has none, and without it the
 * queue would be searched through all that was ever in it, on plans made for an empty one.
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
