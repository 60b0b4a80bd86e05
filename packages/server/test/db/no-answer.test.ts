import pg from 'pg'
import { expect, test } from 'vitest'
import { DatabaseUnavailableError } from '../../src/db/database.ts'
import { pooledDatabase } from '../../src/db/pooled-database.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'

test('a statement without an answer in time fails, and the next one gets another connection', async () => {
  await using place = await newDatabasePlace(newestServer())
  const pool = new pg.Pool({ connectionString: place.databaseUrl ?? '', max: 1 })
  const connections = { pool, borrow: async () => await pool.connect() }
  await using db = pooledDatabase('server', connections, {
    answerWithinMs: 1_000,
    close: async () => {
      await pool.end()
    },
  })
  // longer than the time limits of this test
  const unanswered = 'select pg_sleep(30)'
  const connection = async (): Promise<unknown> => await db.query('select pg_backend_pid()', [])
  const before = await connection()

  await expect(db.query(unanswered, [])).rejects.toBeInstanceOf(DatabaseUnavailableError)
  const after = await connection()
  expect(after).not.toEqual(before)

  await expect(db.transaction(async tx => await tx.query(unanswered, []))).rejects.toBeInstanceOf(
    DatabaseUnavailableError,
  )
  expect(await connection()).not.toEqual(after)
})
