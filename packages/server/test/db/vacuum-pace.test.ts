import { expect, test } from 'vitest'
import { allBackends, openTestDatabase } from '../support/test-database.ts'

test.each(allBackends())('vacuum pauses as the server is set to, on $name', async backend => {
  await using db = await openTestDatabase(backend)
  expect(
    await db.query(`select relname from pg_class where reloptions::text like '%vacuum_cost_delay%'`),
  ).toEqual([])
})
