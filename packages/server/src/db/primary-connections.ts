import pg from 'pg'
import { type Connections, openAlone } from './connections.ts'
import { connectionConfig } from './connection-config.ts'
import { DatabaseReadOnlyError } from './database.ts'
import { Primary } from './primary.ts'
import { startAt } from './session-settings.ts'
import { splitHosts } from './split-hosts.ts'

/** The hosts of a URL with several; null when it names one. All databases of a process share the search. */
export function openPrimary(url: string): Primary | null {
  const [first = url, ...others] = splitHosts(url)
  if (others.length === 0) return null
  return new Primary([first, ...others], async host => {
    const client = await openAlone(host)
    try {
      await refuseReadOnly(client)
    } finally {
      await client.end()
    }
  })
}

/**
 * Connections to whichever of several hosts takes writes. Each new one is asked once whether its server does; one whose
 * server turned read-only or went away is thrown away by whoever held it, and those to a host that is no longer the
 * primary as soon as another is found.
 */
export function primaryConnections(primary: Primary, poolConfig: pg.PoolConfig): Connections {
  const madeFor = new WeakMap<pg.ClientBase, string>()

  /** What the pool makes; it knows only this one host at a time. */
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
    const client = await openAlone(url)
    try {
      await refuseReadOnly(client)
    } catch (error) {
      await client.end()
      throw error
    }
    endWhenMoved(primary, client)
    return client
  }

  return { pool, borrow, open }
}

/** A statement that the old host is never going to answer fails at once, instead of when its time is up. */
function endWhenMoved(primary: Primary, client: pg.Client): void {
  const watch = primary.onMove(() => void client.end())
  client.once('end', () => watch[Symbol.dispose]())
}

/** A standby in recovery, or a primary that its operator closed for writes before a switch. */
async function refuseReadOnly(client: pg.ClientBase): Promise<void> {
  const question = {
    text: `select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly"`,
    query_timeout: connectionConfig.query_timeout,
  }
  const { rows } = await client.query<{ standby: boolean; readOnly: boolean }>(question)
  if (rows[0]?.standby === true) throw new DatabaseReadOnlyError('it is a standby')
  if (rows[0]?.readOnly === true) throw new DatabaseReadOnlyError('it is set to read-only')
}

/** As the pool asks it of each connection that was made. */
async function verify(client: pg.PoolClient, done: (error?: Error) => void): Promise<void> {
  try {
    await refuseReadOnly(client)
    done()
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)))
  }
}

/** No connection was free, or the pool is closed: no host is to blame. */
function isAboutThePool(error: unknown): boolean {
  return (
    error instanceof Error &&
    /^(timeout exceeded when trying to connect|Cannot use a pool after calling end)/.test(error.message)
  )
}
