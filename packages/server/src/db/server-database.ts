import { connectionLifetimeSeconds } from './connection-lifetime.ts'
import { plainConnections } from './connections.ts'
import type { Database } from './database.ts'
import { listenOn } from './listen.ts'
import { pooledDatabase } from './pooled-database.ts'
import type { Primary } from './primary.ts'
import { openPrimary, primaryConnections } from './primary-connections.ts'
import { hasSettingsColumn, refuseLostSettings } from './refuse-pooler.ts'
import { ordinarySettings, startOptions } from './session-settings.ts'

/**
 * Opens a pool on a PostgreSQL 15+ server. Fails if the server is unreachable or too old. With several hosts, connections
 * follow the one that accepts writes.
 */
export async function openServerDatabase(
  url: string,
  {
    connectionsMax,
    settings = ordinarySettings,
    primary = openPrimary(url),
  }: { connectionsMax: number; settings?: readonly string[]; primary?: Primary | null },
): Promise<Database> {
  const poolConfig = {
    max: connectionsMax,
    options: startOptions(settings),
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: connectionLifetimeSeconds,
    statement_timeout: 60_000,
    // `runStatement` has its own
    query_timeout: 0,
    idle_in_transaction_session_timeout: 60_000,
  }
  const connections =
    primary === null ? plainConnections(url, poolConfig) : primaryConnections(primary, poolConfig)
  const { pool } = connections
  const database = pooledDatabase('server', connections, {
    // longer than `statement_timeout`, because only a server that is lost does not answer by then
    answerWithinMs: 65_000,
    close: async () => {
      await pool.end()
    },
  })
  try {
    await refuseUnsuitable(database)
  } catch (error) {
    await database[Symbol.asyncDispose]()
    throw error
  }
  return {
    ...database,
    listen: async (channel, onNotify) =>
      await listenOn(async () => await connections.open(), channel, onNotify),
  }
}

async function refuseUnsuitable(database: Database): Promise<void> {
  const [server] = await database.query<{ version: number; encoding: string; hasSettings: boolean }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
       ${hasSettingsColumn}`,
  )
  refuseLostSettings(server)
  if (server === undefined || server.version < 150_000) {
    throw new Error('DATABASE_URL names a PostgreSQL older than 15; Posthorn needs 15 or newer')
  }
  if (server.encoding !== 'UTF8') {
    throw new Error(`DATABASE_URL names a database in ${server.encoding}; create it with encoding UTF8`)
  }
}
