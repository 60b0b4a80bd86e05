import pg from 'pg'
import { connected } from './connected.ts'
import { connectionConfig } from './connection-config.ts'
import type { PreparedStatement } from './database.ts'
import { startAt } from './session-settings.ts'

/** How connections to a server are made. */
export interface Connections {
  readonly pool: pg.Pool
  /** One out of the pool, to be released. */
  borrow(): Promise<pg.PoolClient>
  /** One that is nobody else's, to be ended. */
  open(): Promise<pg.Client>
}

/** Runs one statement on a connection. */
export type Say = <Row extends object>(
  connection: pg.PoolClient,
  statement: string | PreparedStatement,
  values?: readonly unknown[],
) => Promise<Row[]>

/** A connection outside every pool. */
export async function openAlone(url: string): Promise<pg.Client> {
  return await connected(new pg.Client({ ...connectionConfig, ...startAt(url, connectionConfig.options) }))
}

/** Connections to the one host that the URL names. */
export function plainConnections(url: string, poolConfig: pg.PoolConfig): Connections {
  const pool = new pg.Pool({ ...connectionConfig, ...poolConfig, ...startAt(url, poolConfig.options) })
  return {
    pool,
    borrow: async () => await pool.connect(),
    open: async () => await openAlone(url),
  }
}
