import type { Database } from '../db/database.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { ensurePartitions, partitionedTables } from './ensure-partitions.ts'

/**
 * Wraps a database: if a partition is missing, it creates it and repeats the statement or transaction. So an outcome of any
 * day can be stored.
 */
export function createMissingPartitions(database: Database): Database {
  const withRetry = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      const dayMs = missingDayMs(error)
      if (dayMs === null) throw error
      await ensurePartitions(database, dayMs)
      return await work()
    }
  }
  return {
    ...database,
    query: async (statement, values) => await withRetry(async () => await database.query(statement, values)),
    transaction: async work => await withRetry(async () => await database.transaction(work)),
  }
}

/** A time within the day whose partition is missing; null for any other error. */
function missingDayMs(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code === '42P01') return namedDayMs(error.message)
  // check_violation: no partition for this row
  if (error.code !== '23514' || !error.message.startsWith('no partition of relation')) return null
  const [, id] = /\(id\) = \(([0-9a-f-]{36})\)/.exec('detail' in error ? String(error.detail) : '') ?? []
  return id === undefined ? null : uuidV7Ms(id)
}

function namedDayMs(message: string): number | null {
  const [, table, year, month, day] = /"(\w+)_(\d{4})(\d\d)(\d\d)"/.exec(message) ?? []
  const isOurs = partitionedTables.some(one => one.table === table)
  return isOurs ? Date.parse(`${year}-${month}-${day}T00:00:00Z`) : null
}
