import {
  type Database,
  DatabaseReadOnlyError,
  DatabaseUnavailableError,
  NoConnectionError,
} from './database.ts'

/** Wraps a database: calls `onLost` if it is unknown whether a statement or transaction was committed. */
export function reportLostAnswers(database: Database, onLost?: () => void): Database {
  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (isAnswerLost(error)) onLost?.()
      throw error
    }
  }
  return {
    ...database,
    query: async (statement, values) => await watched(async () => await database.query(statement, values)),
    transaction: async work => await watched(async () => await database.transaction(work)),
  }
}

/** An error that the server sent says that nothing was stored, except that it may shut down while it commits. */
function isAnswerLost(error: unknown): boolean {
  if (!(error instanceof DatabaseUnavailableError)) return false
  if (error instanceof DatabaseReadOnlyError || error instanceof NoConnectionError) return false
  const { cause } = error
  const isFromServer = cause instanceof Error && 'severity' in cause && 'code' in cause
  return !isFromServer || String(cause.code).startsWith('57P')
}
