import pg from 'pg'
import { type Connections, openUnpooled } from './connections.ts'
import { connectionConfig } from './connection-config.ts'
import { DatabaseReadOnlyError } from './database.ts'
import { Primary } from './primary.ts'
import { hasSettingsColumn, refuseLostSettings } from './refuse-pooler.ts'
import { startAt } from './session-settings.ts'
import { splitHosts } from './split-hosts.ts'

/** The search for the primary among the hosts of a URL; null if the URL names one host. All databases of a process share it. */
export function openPrimary(url: string): Primary | null {
  const [first = url, ...others] = splitHosts(url)
  if (others.length === 0) return null
  return new Primary([first, ...others], async host => {
    const client = await openUnpooled(host)
    try {
      await refuseUnsuitable(client)
    } finally {
      await client.end()
    }
  })
}

/**
 * Connections to the one of several hosts that accepts writes. Each new connection checks its server once. A connection
 * ends if its statement fails because the server is read-only or unreachable, or when another host is found to be the
 * primary.
 */
export function primaryConnections(primary: Primary, poolConfig: pg.PoolConfig): Connections {
  const madeFor = new WeakMap<pg.ClientBase, string>()

  /** The pool creates these, and each connects to the host that is the primary at that time. */
  class ClientOfPrimary extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      const { url } = primary
      super({ ...options, ...startAt(url, options?.options) })
      madeFor.set(this, url)
      endWhenMoved(primary, this)
    }
  }
  const pool = new pg.Pool({
    ...connectionConfig,
    ...poolConfig,
    Client: ClientOfPrimary,
    verify: (client, done) => void verify(client, done),
  })

  async function borrow(): Promise<pg.PoolClient> {
    for (;;) {
      const connection = await pool.connect().catch(async (error: unknown) => {
        if (isAboutThePool(error)) throw error
        await primary.find()
        return await pool.connect()
      })
      if (madeFor.get(connection) === primary.url) return connection
      connection.release(true)
    }
  }

  async function open(): Promise<pg.Client> {
    try {
      return await openAt(primary.url)
    } catch {
      await primary.find()
      return await openAt(primary.url)
    }
  }

  async function openAt(url: string): Promise<pg.Client> {
    const client = await openUnpooled(url)
    try {
      await refuseUnsuitable(client)
    } catch (error) {
      await client.end()
      throw error
    }
    endWhenMoved(primary, client)
    return client
  }

  return { pool, borrow, open }
}

/** Makes a statement that the old host will never answer fail at once, without waiting for its time limit. */
function endWhenMoved(primary: Primary, client: pg.Client): void {
  const watch = primary.onMove(() => void client.end())
  client.once('end', () => watch[Symbol.dispose]())
}

/** Refuses a standby in recovery, a primary that its operator set to read-only before a switch, and a pooler. */
async function refuseUnsuitable(client: pg.ClientBase): Promise<void> {
  const question = {
    text: `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly",
      ${hasSettingsColumn}`,
    query_timeout: connectionConfig.query_timeout,
  }
  const { rows } = await client.query<Suitable>(question)
  refuseLostSettings(rows[0])
  if (rows[0]?.standby === true) throw new DatabaseReadOnlyError('it is a standby')
  if (rows[0]?.readOnly === true) throw new DatabaseReadOnlyError('it is set to read-only')
}

interface Suitable {
  standby: boolean
  readOnly: boolean
  hasSettings: boolean
}

/** The pool calls this for each new connection. */
async function verify(client: pg.PoolClient, done: (error?: Error) => void): Promise<void> {
  try {
    await refuseUnsuitable(client)
    done()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}

/** No connection was free, or the pool is closed: the cause is not a host. */
function isAboutThePool(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(timeout exceeded when trying to connect|Cannot use a pool after calling end)/.test(error.message)
  )
}
