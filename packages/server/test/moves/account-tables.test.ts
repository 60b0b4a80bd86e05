import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTables, tablesAboutAccounts } from '../../src/accounts/account-tables.ts'
import type { Database } from '../../src/db/database.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'

let db: Database
beforeAll(async () => (db = await openTestDatabase(newestServer())))
afterAll(async () => await db[Symbol.asyncDispose]())

test('every table with an account_id is in the list of account tables, or in the other one', async () => {
  const rows = await db.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  )
  const listed = [...accountTables.map(({ table }) => table), ...tablesAboutAccounts]
  expect(rows.map(({ name }) => name).sort()).toEqual(listed.sort())
})

test('each of their keys begins with account_id and the columns that the list names', async () => {
  for (const { table, key } of accountTables) {
    const rows = await db.query<{ name: string }>(
      `select a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
       where i.indrelid = $1::regclass and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)`,
      [table],
    )
    const named = key === 'account_id' ? [key] : ['account_id', ...key.split(', ')]
    expect([table, ...rows.slice(0, named.length).map(({ name }) => name)]).toEqual([table, ...named])
  }
})

test('their local columns exist and may be empty, or get a value by themselves', async () => {
  for (const { table, local = [] } of accountTables) {
    const rows = await db.query<{ name: string }>(
      `select attname as name from pg_attribute
       where attrelid = $1::regclass and attname = any($2::text[]) and (not attnotnull or attidentity <> '')`,
      [table, local],
    )
    expect(rows.map(({ name }) => name).sort()).toEqual([...local].sort())
  }
})
