import type pg from 'pg'
import { ask } from './ask.ts'
import type { Connections, Say } from './connections.ts'
import {
  type Database,
  DatabaseUnavailableError,
  type PreparedStatement,
  type Queryable,
} from './database.ts'
import { translateError } from './translate-error.ts'

export interface PooledOptions {
  /** How long to wait for the answer to a statement; null for as long as it takes. */
  answerWithinMs: number | null
  /** Hears of every statement that was refused, with its SQLSTATE or the code of the network's error. */
  onRefused?: (code: string) => void
  close: () => Promise<void>
}

/** The door over a pool of connections; `listen` is added by whoever knows how to hold one open. */
export function pooledDatabase(
  kind: Database['kind'],
  { pool, borrow }: Pick<Connections, 'pool' | 'borrow'>,
  { answerWithinMs, onRefused, close }: PooledOptions,
): Database {
  // an idle connection that breaks is dropped by the pool; the next query opens another or says why it cannot
  pool.on('error', () => {})
  // one that breaks in use says so twice: to the statement under way, and by an event that nobody else hears
  pool.on('connect', connection => connection.on('error', () => {}))
  const say: Say = async (connection, statement, values) => {
    try {
      return await ask(connection, statement, values, answerWithinMs)
    } catch (error) {
      onRefused?.(codeOf(error))
      throw error
    }
  }
  let closing: Promise<void> | undefined
  const queryable: Queryable = {
    query: async (statement, values) => await inConnection(borrow, say, statement, values),
    transaction: async work => await inTransaction(borrow, say, work),
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
/** A refused statement is no reason to give up the connection, as the pool's own `query` would. */
async function inConnection<Row extends object>(
  borrow: Borrow,
  say: Say,
  statement: string | PreparedStatement,
  values?: readonly unknown[],
): Promise<Row[]> {
  const connection = await connect(borrow)
  try {
    const rows = await say<Row>(connection, statement, values)
    connection.release()
    return rows
  } catch (error) {
    connection.release(error instanceof DatabaseUnavailableError)
    throw error
  }
}

async function inTransaction<T>(borrow: Borrow, say: Say, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const connection = await connect(borrow)
  const tx: Queryable = {
    query: async (statement, values) => await say(connection, statement, values),
    transaction: async inner => await inner(tx),
  }
  try {
    await say(connection, 'begin', [])
    const result = await work(tx)
    await say(connection, 'commit', [])
    connection.release()
    return result
  } catch (error) {
    // nothing more can be said to a server that went away, or turned read-only under it
    if (error instanceof DatabaseUnavailableError) connection.release(true)
    else await rollBack(connection, say)
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

async function rollBack(connection: pg.PoolClient, say: Say): Promise<void> {
  try {
    await say(connection, 'rollback', [])
    connection.release()
  } catch (error) {
    connection.release(error instanceof Error ? error : true)
  }
}
