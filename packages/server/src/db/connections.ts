import pg from 'pg'
import { connectionConfig } from './connection-config.ts'
import type { PreparedStatement } from './database.ts'
import { explainPooler } from './refuse-pooler.ts'
import { startAt } from './session-settings.ts'

/** Makes connections to a server. */
export interface Connections {
  readonly pool: pg.Pool
  /** A connection of the pool. The caller releases it. */
  borrow(): Promise<pg.PoolClient>
  /** A connection outside the pool. The caller ends it. */
  open(): Promise<pg.Client>
}

/** Runs one statement on a connection. */
export type RunStatement = <Row extends object>(
  connection: pg.PoolClient,
  statement: string | PreparedStatement,
  values?: readonly unknown[],
) => Promise<Row[]>

/** Opens a connection outside every pool. */
export async function openUnpooled(url: string): Promise<pg.Client> {
  return await connectClient(
    new pg.Client({ ...connectionConfig, ...startAt(url, connectionConfig.options) }),
  )
}

/** Connections to the one host that the URL names. */
export function plainConnections(url: string, poolConfig: pg.PoolConfig): Connections {
  const pool = new pg.Pool({ ...connectionConfig, ...poolConfig, ...startAt(url, poolConfig.options) })
  return {
    pool,
    borrow: async () => await pool.connect(),
    open: async () => await openUnpooled(url),
  }
}

/** Connects a client and closes it if that fails. If the connection breaks later, only the event `end` reports it. */
async function connectClient(client: pg.Client): Promise<pg.Client> {
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw explainPooler(error)
  }
}
