import { describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPlace } from '../support/open-place.ts'
import { allBackends, newDatabasePlace, openTestDatabase, withoutTemplate } from '../support/test-database.ts'

describe.each(allBackends())('migrations on $name', backend => {
  test('a schema from other migrations is rejected and left unchanged', async () => {
    await using db = await openTestDatabase(backend)
    await db.query(`update schema_migration set name = '0001-core.sql' where version = 1`)
    await db.query(`insert into schema_migration (version, name) values (20, '0020-folded-recipients.sql')`)
    const before = await everything(db)
    await expect(migrate(db)).rejects.toThrow(
      /made by 0001-core\.sql and cannot be migrated.*DATABASE_URL.*POSTHORN_DATA_DIR/,
    )
    expect(await everything(db)).toEqual(before)
  })

  test('a newer schema is left unchanged', async () => {
    await using db = await openTestDatabase(backend)
    await db.query(`insert into schema_migration (version, name) values (9001, '9001-later.sql')`)
    expect(await migrate(db)).toEqual({ applied: [], version: 9001 })
  })

  test('a missing migration is applied even if one with a higher number was applied before', async () => {
    await using place = await newDatabasePlace(withoutTemplate(backend))
    await using db = await openPlace(place)
    await db.query(`create table schema_migration (
      version integer primary key, name text not null, breaking boolean not null default false)`)
    await db.query(`insert into schema_migration values (9001, '9001-later.sql')`)
    const { applied, version } = await migrate(db)
    expect(applied).toContain('0001-schema.sql')
    expect(version).toBe(9001)
    expect(await db.query('select from endpoint')).toEqual([])
  })
})

/** All tables, indexes and functions, and the applied migrations. */
async function everything(db: Database): Promise<unknown[]> {
  return await db.query(
    `select relname as name, relkind::text as kind from pg_class where relnamespace = 'public'::regnamespace
     union all select proname, 'function' from pg_proc where pronamespace = 'public'::regnamespace
     union all select version::text, name from schema_migration
     order by 1, 2`,
  )
}
