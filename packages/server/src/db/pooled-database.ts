import type pg from 'pg'
import type { Connections } from './connections.ts'
import {
  type Database,
  DatabaseUnavailableError,
  type PreparedStatement,
  type Queryable,
} from './database.ts'
import { translateError } from './translate-error.ts'
import { columnParsers } from './column-parsers.ts'

/** The door over a pool of connections; `listen` is added by whoever knows how to hold one open. */
export function pooledDatabase(
  kind: Database['kind'],
  { pool, borrow }: Pick<Connections, 'pool' | 'borrow'>,
  close: () => Promise<void>,
): Database {
  // an idle connection that breaks is dropped by the pool; the next query opens another or says why it cannot
  pool.on('error', () => {})
  // one that breaks in use says so twice: to the statement under way, and by an event that nobody else hears
  pool.on('connect', connection => connection.on('error', () => {}))
  let closing: Promise<void> | undefined
  return {
    kind,
    query: async (statement, values) => await inConnection(borrow, statement, values),
    transaction: async work => await inTransaction(borrow, work),
    listen: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    dump: null,
    [Symbol.asyncDispose]: async () => {
      closing ??= close()
      await closing
    },
  }
}

type Borrow = Connections['borrow']

/** A refused statement is no reason to give up the connection, as the pool's own `query` would. */
async function inConnection<Row extends object>(
  borrow: Borrow,
  statement: string | PreparedStatement,
  values?: readonly unknown[],
): Promise<Row[]> {
  const connection = await connect(borrow)
  try {
    const rows = await run<Row>(connection, statement, values)
    connection.release()
    return rows
  } catch (error) {
    connection.release(error instanceof DatabaseUnavailableError)
    throw error
  }
}

/** A migration's script has many statements, each with a time limit of its own on the server. */
const unbounded = { query_timeout: 2_147_483_647 }

async function run<Row extends object>(
  connection: pg.PoolClient,
  statement: string | PreparedStatement,
  values?: readonly unknown[],
): Promise<Row[]> {
  const named = typeof statement === 'string' ? { text: statement } : statement
  try {
    const result = await connection.query<Row>({
      ...named,
      ...(values === undefined ? unbounded : { values: [...values] }),
      types: columnParsers,
    })
    return result.rows
  } catch (error) {
    throw translateError(error)
  }
}

async function inTransaction<T>(borrow: Borrow, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const connection = await connect(borrow)
  const tx: Queryable = {
    query: async (statement, values) => await run(connection, statement, values),
    transaction: async inner => await inner(tx),
  }
  try {
    await run(connection, 'begin', [])
    const result = await work(tx)
    await run(connection, 'commit', [])
    connection.release()
    return result
  } catch (error) {
    // nothing more can be said to a server that went away, or turned read-only under it
    if (error instanceof DatabaseUnavailableError) connection.release(true)
    else await rollBack(connection)
    throw error
  }
}

async function connect(borrow: Borrow): Promise<pg.PoolClient> {
  try {
    return await borrow()
  } catch (error) {
    throw translateError(error)
  }
}

async function rollBack(connection: pg.PoolClient): Promise<void> {
  try {
    await run(connection, 'rollback', [])
    connection.release()
  } catch (error) {
    connection.release(error instanceof Error ? error : true)
  }
}
