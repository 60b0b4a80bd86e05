import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Queryable } from '../../src/db/database.ts'
import { purgeAccountData } from '../../src/maintenance/purge-account-data.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { newAccount, verbContext } from '../verbs/verb-context.ts'

let db: Database
beforeAll(async () => (db = await openTestDatabase(newestServer())))
afterAll(async () => await db[Symbol.asyncDispose]())

test('the deliveries of one replay are deleted in batches', async () => {
  const ctx = verbContext(db)
  const [accountId, other] = [await newAccount(ctx), await newAccount(ctx)]
  await db.query(
    `insert into replay_delivery select account_id, $2, gen_random_uuid() from unnest($1::uuid[]) account_id, generate_series(1, 12000)`,
    [[accountId, other], accountId],
  )
  const batches: number[] = []
  const counting: Queryable = {
    ...db,
    query: async (statement, values) => {
      const rows = await db.query<never>(statement, values)
      const text = typeof statement === 'string' ? statement : statement.text
      if (text.startsWith('delete from replay_delivery')) batches.push(rows.length)
      return rows
    },
  }
  expect(await purgeAccountData(counting, accountId)).toBe(12_000)
  expect(batches).toEqual([5_000, 5_000, 2_000])
  expect(await db.query('select count(*) as rows from replay_delivery')).toEqual([{ rows: 12_000 }])
})
