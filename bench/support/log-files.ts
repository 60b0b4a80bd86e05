import type { Queryable } from '../../packages/server/src/db/database.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { until } from '../../packages/server/test/support/until.ts'

/** 4 GB in files of 16 MB, which is enough for two checkpoints. */
const files = 256

/**
 * Creates the WAL files that a server has after it has run for a while and recycles them. A new server creates and zeroes
 * each file when it first needs it, and commits wait for that.
 */
export async function makeLogFiles(postgres: PostgresServer): Promise<void> {
  await using db = await openPlace({ databaseUrl: postgres.url('postgres'), dataDir: '' })
  // a checkpoint in between would recycle existing files instead of creating more
  await keepOfLog(db, files, 3 * files)
  await db.query(`
    do $$ begin
      for file in 1..${files} loop
        perform pg_logical_emit_message(false, 'bench', 'one more');
        perform pg_switch_wal();
      end loop;
    end $$`)
  await keepOfLog(db, files, files)
  await db.query('checkpoint')
  const [there] = await db.query<{ count: number }>('select count(*)::int from pg_ls_waldir()')
  if ((there?.count ?? 0) < files) throw new Error(`of ${files} log files there are ${there?.count}`)
}

async function keepOfLog(db: Queryable, leastFiles: number, mostFiles: number): Promise<void> {
  await db.query(`alter system set min_wal_size = '${leastFiles * 16}MB'`)
  await db.query(`alter system set max_wal_size = '${mostFiles * 16}MB'`)
  await db.query('select pg_reload_conf()')
  // each connection reloads its settings separately, and this one decides whether a checkpoint is due
  await until('the connection has the new setting', async () => {
    const [now] = await db.query<{ mb: number }>(
      `select setting::int as mb from pg_settings where name = 'max_wal_size'`,
    )
    return now?.mb === mostFiles * 16
  })
}
