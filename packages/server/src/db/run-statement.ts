import pg from 'pg'
import { DatabaseUnavailableError, type PreparedStatement } from './database.ts'
import { translateError } from './translate-error.ts'

/**
 * Runs one statement on a connection.
 *
 * It uses a callback and its own time limit. For a promise or a `query_timeout`, the driver assigns a new function to a
 * property of the statement. V8 allocates such functions as long-lived, and they keep the values and the answer until a
 * full garbage collection.
 * @param answerWithinMs null for no limit. A call without values is a script of many statements, which the server limits
 * one by one.
 * @throws DatabaseUnavailableError if the server is unreachable or does not answer; the driver's error otherwise
 */
export async function runStatement<Row extends object>(
  connection: pg.PoolClient,
  statement: string | PreparedStatement,
  values: readonly unknown[] | undefined,
  answerWithinMs: number | null,
): Promise<Row[]> {
  const query = {
    ...(typeof statement === 'string' ? { text: statement } : statement),
    ...(values !== undefined && { values: [...values] }),
    types: columnParsers,
  }
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
  const expire = (): void =>
    reject(new DatabaseUnavailableError(`the database is unavailable: no answer within ${answerWithinMs} ms`))
  const limit =
    values === undefined || answerWithinMs === null ? undefined : setTimeout(expire, answerWithinMs)
  connection.query<Row>(query, (error: Error | null | undefined, answer) => {
    if (error) reject(error)
    else resolve(answer.rows)
  })
  try {
    return await promise
  } catch (error) {
    throw translateError(error)
  } finally {
    clearTimeout(limit)
  }
}

/** The driver's own parsers, except that 64-bit integers become numbers. */
const columnParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 && format !== 'binary'
      ? parseInt8
      : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** Counts and sequences stay far below 2^53. Search keys do not, but no statement returns them. */
function parseInt8(text: string): number {
  return Number(text)
}
