import { WebhookUsageError } from './errors.ts'
import type { DedupeStore } from './process-once.ts'

/** Runs one statement, for example `pool.query` of `pg`. */
export type PostgresQuery = (sql: string, values: unknown[]) => Promise<{ rows: unknown[] }>

/**
 * The table that `postgresStore` needs. Add it to your migrations. Expired rows do no harm. To remove them, run
 * `delete from posthorn_dedupe where expires_at < now()` from time to time.
 */
export function postgresStoreTable(table = 'posthorn_dedupe'): string {
  return `create table if not exists ${checkedName(table)} (
  id text primary key,
  done boolean not null,
  digest text,
  expires_at timestamptz not null
)`
}

/**
 * Remembers events in PostgreSQL and uses the clock of the database.
 *
 * @example
 * import { Pool } from 'pg'
 *
 * const pool = new Pool()
 * const store = postgresStore((sql, values) => pool.query(sql, values))
 */
export function postgresStore(query: PostgresQuery, options: { table?: string } = {}): DedupeStore {
  const table = checkedName(options.table ?? 'posthorn_dedupe')
  return {
    async claim(id, leaseMs, digest) {
      // A single statement is atomic: of two concurrent claims, the second sees the row of the first.
      const { rows } = await query(
        `insert into ${table} as t (id, done, expires_at, digest)
         values ($1, false, now() + $2 * interval '1 millisecond', $3)
         on conflict (id) do update
           set done = false, expires_at = excluded.expires_at, digest = excluded.digest
           where t.expires_at <= now()
         returning id`,
        [id, leaseMs, digest ?? null],
      )
      if (rows.length > 0) return 'claimed'
      const found = await query(`select 1 from ${table} where id = $1 and done`, [id])
      return found.rows.length > 0 ? 'done' : 'in_progress'
    },
    async complete(id, ttlMs, digest) {
      await query(
        `insert into ${table} (id, done, expires_at, digest)
         values ($1, true, now() + $2 * interval '1 millisecond', $3)
         on conflict (id) do update
           set done = true, expires_at = excluded.expires_at, digest = excluded.digest`,
        [id, ttlMs, digest ?? null],
      )
    },
    async release(id) {
      await query(`delete from ${table} where id = $1 and not done`, [id])
    },
    async digestOf(id) {
      const { rows } = await query(`select digest from ${table} where id = $1 and digest is not null`, [id])
      return digestIn(rows[0])
    },
  }
}

/** The statement selects one column of text. */
function digestIn(row: unknown): string | undefined {
  return (row as { digest: string } | undefined)?.digest
}

/** Accepts only names that need no quoting, because a table name cannot be a parameter. */
function checkedName(table: string): string {
  if (/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/.test(table)) return table
  throw new WebhookUsageError('option_invalid', 'a table name may have only lower-case letters, digits and _')
}
