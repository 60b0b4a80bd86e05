import { openPlace } from '../../packages/server/test/support/open-place.ts'
import type { PostgresServer } from '../../packages/server/test/support/postgres-server.ts'

/** Files of 16 MB. */
const files = 64

/**
 * Makes the files of PostgreSQL's log, a gigabyte, as they lie there once a server has run for a while and uses old ones
 * again. A new server makes each when it is first needed and fills it with zeros, and whoever commits then waits for
 * that: 60 milliseconds were measured, every two seconds.
 */
export async function makeLogFiles(postgres: PostgresServer): Promise<void> {
  await using db = await openPlace({ databaseUrl: postgres.url('postgres'), dataDir: '' })
  await db.query(`alter system set min_wal_size = '${files * 16}MB'`)
  await db.query('select pg_reload_conf()')
  await db.query(`
    do $$ begin
      for file in 1..${files} loop
        perform pg_logical_emit_message(false, 'bench', 'one more');
        perform pg_switch_wal();
      end loop;
    end $$`)
  await db.query('checkpoint')
}
