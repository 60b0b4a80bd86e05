import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { ensurePartitions } from '../../src/maintenance/ensure-partitions.ts'
import { allBackends, openTestDatabase } from '../support/test-database.ts'

describe.each(allBackends())('the database interface on $name', backend => {
  let db: Database
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    await db.query('create table note (id integer primary key, text text)')
  })
  afterAll(async () => {
    await db[Symbol.asyncDispose]()
  })

  test('columns are read as the same JavaScript values', async () => {
    const [row] = await db.query(
      `select 9007199254740991::bigint as big, count(*) as n, $1::bytea as bytes, $2::jsonb as json,
              '2026-01-02T03:04:05.678Z'::timestamptz as at, $3::uuid[] as ids, null::text as nothing
       from note`,
      [
        Buffer.from([0, 255, 1]),
        JSON.stringify({ a: [1] }),
        ['019aa3f0-0000-7000-8000-000000000001', '019aa3f0-0000-7000-8000-000000000002'],
      ],
    )
    expect(row).toEqual({
      big: Number.MAX_SAFE_INTEGER,
      n: 0,
      bytes: Buffer.from([0, 255, 1]),
      json: { a: [1] },
      at: new Date('2026-01-02T03:04:05.678Z'),
      ids: ['019aa3f0-0000-7000-8000-000000000001', '019aa3f0-0000-7000-8000-000000000002'],
      nothing: null,
    })
  })

  test('a prepared statement can be run repeatedly', async () => {
    const statement = { name: 'double', text: 'select $1::int * 2 as twice' }
    const answers = await Promise.all([1, 2, 3].map(n => db.query<{ twice: number }>(statement, [n])))
    expect(answers.map(([row]) => row?.twice)).toEqual([2, 4, 6])
  })

  test('a transaction that returns is committed, and one that throws is rolled back', async () => {
    await db.transaction(async tx => await tx.query('insert into note values (1, $1)', ['kept']))
    const failed = db.transaction(async tx => {
      await tx.query('insert into note values (2, $1)', ['gone'])
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    expect(await db.query('select id from note order by id')).toEqual([{ id: 1 }])
  })

  test('a failed statement rolls back its transaction, and the connection stays usable', async () => {
    const refused = db.transaction(async tx => {
      await tx.query('insert into note values (3, $1)', ['gone'])
      await tx.query('insert into note values (3, $1)', ['twice'])
    })
    await expect(refused).rejects.toMatchObject({ code: '23505' })
    expect(await db.query('select id from note where id = 3')).toEqual([])
  })

  test('a failed statement gets its error, and each later one gets its own result', async () => {
    await expect(db.query('select 1/0')).rejects.toMatchObject({ code: '22012' })
    await expect(db.query('select nothing from nowhere')).rejects.toMatchObject({ code: '42P01' })
    expect(await db.query('select 2 as two')).toEqual([{ two: 2 }])
    expect(await db.query('select 3 as three')).toEqual([{ three: 3 }])
  })

  test('a transaction inside a transaction joins the outer one', async () => {
    const failed = db.transaction(async tx => {
      await tx.transaction(async inner => await inner.query('insert into note values (4, $1)', ['inner']))
      throw new Error('outer')
    })
    await expect(failed).rejects.toThrow('outer')
    expect(await db.query('select id from note where id = 4')).toEqual([])
  })

  test('statements sent at once each get their own result', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => await db.query<{ n: number }>('select $1::int as n', [n])),
    )
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 200 }, (_, n) => n))
  })

  test('a text of a megabyte is returned unchanged', async () => {
    const text = 'Größe 😀 '.repeat(100_000)
    const [row] = await db.query<{ text: string }>('select $1::text as text', [text])
    expect(row?.text).toBe(text)
  })

  test('applied migrations and existing partitions are not created again', async () => {
    expect((await migrate(db)).applied).toEqual([])
    expect(await ensurePartitions(db, Date.now())).toEqual({ created: 0 })
  })
})
