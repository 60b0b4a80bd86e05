import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'

describe.each(allBackends())('on $name', backend => {
  test('vacuum makes the pauses that the server is set to, also on the days of an older installation', async () => {
    await using db = await openTestDatabase(backend)
    expect(await tablesWithPausesOfTheirOwn(db)).toEqual([])

    const days = await db.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits join pg_class on oid = inhrelid where relkind = 'r'`,
    )
    expect(days.length).toBeGreaterThan(0)
    for (const { name } of [{ name: 'waiting' }, { name: 'email_content' }, ...days])
      await db.query(`alter table ${name} set (autovacuum_vacuum_cost_delay = 0)`)
    expect(await tablesWithPausesOfTheirOwn(db)).toHaveLength(days.length + 2)

    await db.query('delete from schema_migration where version = 9')
    await migrate(db)
    expect(await tablesWithPausesOfTheirOwn(db)).toEqual([])
  })
})

async function tablesWithPausesOfTheirOwn(db: Database): Promise<unknown[]> {
  return await db.query(`select oid from pg_class where reloptions::text like '%vacuum_cost_delay%'`)
}
