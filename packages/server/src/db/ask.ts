import type pg from 'pg'
import { columnParsers } from './column-parsers.ts'
import { DatabaseUnavailableError, type PreparedStatement } from './database.ts'
import { translateError } from './translate-error.ts'

/**
 * Runs one statement on a connection.
 *
 * The callback goes along with the call, and the time limit is ours instead of the driver's `query_timeout`: where the
 * driver makes a promise or a time limit, it assigns a new function to a property of the statement. V8 takes such a
 * function for one that stays, so it is born old and keeps the statement with all its values, its answer and what waits
 * for it, until all memory is collected, which then happens every second.
 * @param answerWithinMs null for as long as it takes; a script without values has many statements, each of which the
 * server limits by itself
 * @throws DatabaseUnavailableError when the server cannot be reached or does not answer; the driver's error otherwise
 */
export async function ask<Row extends object>(
  connection: pg.PoolClient,
  statement: string | PreparedStatement,
  values: readonly unknown[] | undefined,
  answerWithinMs: number | null,
): Promise<Row[]> {
  const question = {
    ...(typeof statement === 'string' ? { text: statement } : statement),
    ...(values !== undefined && { values: [...values] }),
    types: columnParsers,
  }
  const { promise, resolve, reject } = Promise.withResolvers<Row[]>()
  const silent = (): void =>
    reject(new DatabaseUnavailableError(`the database is away: no answer within ${answerWithinMs} ms`))
  const limit =
    values === undefined || answerWithinMs === null ? undefined : setTimeout(silent, answerWithinMs)
  connection.query<Row>(question, (error: Error | null | undefined, answer) => {
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
