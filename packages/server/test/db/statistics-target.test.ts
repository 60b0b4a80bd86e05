import { expect, test } from 'vitest'
import { allBackends, openTestDatabase } from '../support/test-database.ts'

test.each(allBackends())('analyzing a day reads 6,000 of its rows, on $name', async backend => {
  await using db = await openTestDatabase(backend)
  // ANALYZE samples 300 times as many rows; -1 is the server's default
  const targets = await db.query(
    `select distinct coalesce(attstattarget, -1)::int as target from pg_inherits join pg_class c on c.oid = inhrelid and relkind = 'r'
     join pg_attribute on attrelid = c.oid and attnum > 0`,
  )
  expect(targets).toEqual([{ target: 20 }])
})
