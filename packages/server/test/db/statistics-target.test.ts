import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'

describe.each(allBackends())('on $name', backend => {
  test('analysing a day looks at 6,000 of its rows, also on the days of an older installation', async () => {
    await using db = await openTestDatabase(backend)
    expect(await targetsOfDays(db)).toEqual([20])

    for (const { name } of await days(db))
      await db.query(`alter table ${name} alter column account_id set statistics -1`)
    expect(await targetsOfDays(db)).toEqual([-1, 20])

    await db.query('delete from schema_migration where version = 11')
    await migrate(db)
    expect(await targetsOfDays(db)).toEqual([20])
  })
})

async function days(db: Database): Promise<Array<{ name: string }>> {
  return await db.query(
    `select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid where relkind = 'r'`,
  )
}

/** What the columns of all partitions say of how many rows are to be looked at; -1 is what the server is set to. */
async function targetsOfDays(db: Database): Promise<number[]> {
  const rows = await db.query<{ target: number }>(
    `select distinct coalesce(attstattarget, -1)::int as target from pg_inherits join pg_class c on c.oid = inhrelid and relkind = 'r'
     join pg_attribute on attrelid = c.oid and attnum > 0 order by target`,
  )
  return rows.map(({ target }) => target)
}
