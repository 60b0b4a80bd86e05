import type { Database } from '../db/database.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { ensurePartitions, partitionedTables } from './ensure-partitions.ts'

/**
 * The same database, which makes a partition that is missing and then runs the statement, or the transaction, again:
 * what is reported is stored, whatever day it is of.
 */
export function makeMissingDays(database: Database): Database {
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
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
    query: async (statement, values) => await again(async () => await database.query(statement, values)),
    transaction: async work => await again(async () => await database.transaction(work)),
  }
}

/** A moment of the day whose partition an error says is missing; null for any other error. */
function missingDayMs(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  if (error.code === '42P01') return namedDayMs(error.message)
  // check_violation, of a row that fits no partition
  if (error.code !== '23514' || !error.message.startsWith('no partition of relation')) return null
  const [, id] = /\(id\) = \(([0-9a-f-]{36})\)/.exec('detail' in error ? String(error.detail) : '') ?? []
  return id === undefined ? null : uuidV7Ms(id)
}

function namedDayMs(message: string): number | null {
  const [, table, year, month, day] = /"(\w+)_(\d{4})(\d\d)(\d\d)"/.exec(message) ?? []
  const isOurs = partitionedTables.some(one => one.table === table)
  return isOurs ? Date.parse(`${year}-${month}-${day}T00:00:00Z`) : null
}
