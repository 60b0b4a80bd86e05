import type { Queryable } from '../../packages/server/src/db/database.ts'
import { openPlace } from '../../packages/server/test/support/open-place.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'
import { until } from '../../packages/server/test/support/until.ts'

/** Of 16 MB: four gigabytes, as much as may be written from one checkpoint to the end of the next. */
const files = 256

/**
 * Makes the files of PostgreSQL's log as they lie there once a server has run for a while and uses old ones again. A new
 * server makes each when it is first needed and fills it with zeros, and whoever commits then waits for that: 60
 * milliseconds were measured, every second under load.
 */
export async function makeLogFiles(postgres: PostgresServer): Promise<void> {
  await using db = await openPlace({ databaseUrl: postgres.url('postgres'), dataDir: '' })
  // a checkpoint in the midst of it would use those that are there again, instead of making more
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
  // each connection hears of it by itself, and the one that fills a file judges whether a checkpoint is due
  await until('the connection has heard of it', async () => {
    const [now] = await db.query<{ mb: number }>(
      `select setting::int as mb from pg_settings where name = 'max_wal_size'`,
    )
    return now?.mb === mostFiles * 16
  })
}
