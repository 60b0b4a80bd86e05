import type pg from 'pg'
import type { Connections, Say } from './connections.ts'
import { DatabaseUnavailableError, type KeptConnection, type Queryable } from './database.ts'

export interface KeptOptions {
  borrow: Connections['borrow']
  say: Say
  /** For transactions, and for what is asked while a statement is under way. */
  pool: Queryable
  /** After so many it goes back once, because the pool replaces what is too old only then. */
  statementsMax: number
}

/** Keeps one connection out of a pool. */
export function keptConnection({ borrow, say, pool, statementsMax }: KeptOptions): KeptConnection {
  let connection: pg.PoolClient | null = null
  let statements = 0
  let isKept = false
  let isBusy = false

  function giveBack(isBroken: boolean): void {
    connection?.release(isBroken)
    connection = null
    statements = 0
  }

  return {
    query: async (statement, values) => {
      if (isBusy || !isKept) return await pool.query(statement, values)
      isBusy = true
      let isBroken = false
      try {
        connection ??= await borrow()
        return await say(connection, statement, values)
      } catch (error) {
        isBroken = error instanceof DatabaseUnavailableError
        throw error
      } finally {
        isBusy = false
        statements++
        if (isBroken || !isKept || statements >= statementsMax) giveBack(isBroken)
      }
    },
    transaction: async work => await pool.transaction(work),
    during: async work => {
      isKept = true
      try {
        await work()
      } finally {
        isKept = false
        if (!isBusy) giveBack(false)
      }
    },
  }
}
