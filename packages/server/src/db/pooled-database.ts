import type pg from 'pg'
import type { Connections, RunStatement } from './connections.ts'
import {
  type Database,
  DatabaseReadOnlyError,
  DatabaseUnavailableError,
  NoConnectionError,
  type PreparedStatement,
  type Queryable,
} from './database.ts'
import { runStatement } from './run-statement.ts'
import { translateError } from './translate-error.ts'

export interface PooledOptions {
  /** The time limit for the answer to a statement; null for no limit. */
  answerWithinMs: number | null
  /** Called for every failed statement, with its SQLSTATE or the code of the network error. */
  onRefused?: (code: string) => void
  close: () => Promise<void>
}

/** A database over a pool of connections. The caller adds `listen`. */
export function pooledDatabase(
  kind: Database['kind'],
  { pool, borrow }: Pick<Connections, 'pool' | 'borrow'>,
  { answerWithinMs, onRefused, close }: PooledOptions,
): Database {
  // the pool drops an idle connection that breaks; the next query opens another one or fails
  pool.on('error', () => {})
  // a connection that breaks in use also emits an event, and without a listener that would end the process
  pool.on('connect', connection => connection.on('error', () => {}))
  const run: RunStatement = async (connection, statement, values) => {
    try {
      return await runStatement(connection, statement, values, answerWithinMs)
    } catch (error) {
      onRefused?.(codeOf(error))
      throw error
    }
  }
  let closing: Promise<void> | undefined
  const queryable: Queryable = {
    query: async (statement, values) => await inConnection(borrow, run, statement, values),
    transaction: async work => await inTransaction(borrow, run, work),
  }
  return {
    ...queryable,
    kind,
    listen: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    trouble: () => null,
    dump: null,
    [Symbol.asyncDispose]: async () => {
      closing ??= close()
      await closing
    },
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause)
}

type Borrow = Connections['borrow']

/** Keeps the connection after a failed statement, which the pool's own `query` would close. */
async function inConnection<Row extends object>(
  borrow: Borrow,
  run: RunStatement,
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

async function inTransaction<T>(
  borrow: Borrow,
  run: RunStatement,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
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
    // a server that is unreachable or became read-only cannot roll back
    if (error instanceof DatabaseUnavailableError) connection.release(true)
    else await rollBack(connection, run)
    throw error
  }
}

async function connect(borrow: Borrow): Promise<pg.PoolClient> {
  try {
    return await borrow()
  } catch (error) {
    const translated = translateError(error)
    if (!(translated instanceof DatabaseUnavailableError) || translated instanceof DatabaseReadOnlyError)
      throw translated
    throw new NoConnectionError(translated.message, { cause: error })
  }
}

async function rollBack(connection: pg.PoolClient, run: RunStatement): Promise<void> {
  try {
    await run(connection, 'rollback', [])
    connection.release()
  } catch (error) {
    connection.release(error instanceof Error ? error : true)
  }
}
