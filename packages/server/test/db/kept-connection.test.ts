import { expect, test } from 'vitest'
import { DatabaseUnavailableError, type Queryable } from '../../src/db/database.ts'
import { eachKind, newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'

const connectionOf = async (db: Queryable): Promise<number | undefined> =>
  (await db.query<{ id: number }>('select pg_backend_pid() as id'))[0]?.id

test('statements that follow one another have one connection to themselves, and then it is everybody’s again', async () => {
  await using db = await openTestDatabase(newestServer())
  const kept = db.keptConnection()
  let first: number | undefined
  await kept.during(async () => {
    first = await connectionOf(kept)
    expect(await connectionOf(db)).not.toBe(first)
    expect(await connectionOf(kept)).toBe(first)
  })
  await db.transaction(async tx => {
    expect([await connectionOf(tx), await connectionOf(db)]).toContain(first)
  })
})

test('a statement is on its way before anything else that is due in the same turn', async () => {
  await using db = await openTestDatabase(newestServer())
  const kept = db.keptConnection()
  const orderOf = async (asked: Queryable): Promise<string[]> => {
    const seen = new Set<string>()
    const asking = asked.query({
      name: 'seen',
      // read when the statement is written
      get text() {
        seen.add('statement')
        return 'select 1'
      },
    })
    queueMicrotask(() => seen.add('other'))
    await asking
    return [...seen]
  }
  await kept.during(async () => {
    await kept.query('select 1')
    expect(await orderOf(kept)).toEqual(['statement', 'other'])
    expect(await orderOf(db)).toEqual(['other', 'statement'])
  })
})

test('what is asked while a statement is under way waits for nobody', async () => {
  await using db = await openTestDatabase(newestServer())
  const kept = db.keptConnection()
  const lock = `select pg_advisory_lock(7)`
  await kept.during(async () => {
    await db.transaction(async tx => {
      await tx.query(lock)
      const waiting = kept.query(lock)
      await until('it waits', async () => {
        const rows = await db.query(`select from pg_locks where locktype = 'advisory' and not granted`)
        return rows.length === 1
      })
      expect(await connectionOf(kept)).toBeTypeOf('number')
      await tx.query('select pg_advisory_unlock(7)')
      await waiting
    })
  })
})

test('a connection that is lost is replaced by the next statement', async () => {
  await using db = await openTestDatabase(newestServer())
  const kept = db.keptConnection()
  await kept.during(async () => {
    const lost = await connectionOf(kept)
    await db.query('select pg_terminate_backend($1)', [lost])
    const next = until('it has another one', async () => {
      try {
        return (await connectionOf(kept)) ?? null
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseUnavailableError)
        return null
      }
    })
    expect(await next).not.toBe(lost)
  })
})

test.each(eachKind())('$name: it is given back now and then, however long it is kept', async backend => {
  await using db = await openTestDatabase(backend)
  const kept = db.keptConnection()
  await kept.during(async () => {
    await kept.query('set application_name = kept')
    // this one was the first of a thousand
    for (let n = 1; n < 1_000; n++) await kept.query('select 1')
    const [row] = await db.query<{ name: string }>(`select current_setting('application_name') as name`)
    expect(row?.name).toBe('kept')
  })
})
