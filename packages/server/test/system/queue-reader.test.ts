import { expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { newId } from '../../src/new-id.ts'
import { openQueueReader } from '../../src/system/queue-reader.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { newAccount, verbContext } from '../verbs/verb-context.ts'

test('however many ask for the queue and how often, counting it takes a hundredth of the time', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const wait = async (): Promise<void> => {
    await db.query(
      `insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       values ($1, $2, $3, $4, now(), 1)`,
      [accountId, newId(ctx), newId(ctx), newId(ctx)],
    )
  }
  let nowMs = 0
  let counted = 0
  const slow: Queryable = {
    query: async (...asked: Parameters<Queryable['query']>) => {
      counted++
      nowMs += 100
      return await db.query(...asked)
    },
  } as Queryable
  const queue = openQueueReader(slow, { monotonicMs: () => nowMs })

  await wait()
  const both = await Promise.all([queue(), queue()])
  expect([both.map(({ waiting }) => waiting), counted]).toEqual([[1, 1], 1])
  await wait()
  nowMs = 9_999
  expect([(await queue()).waiting, counted]).toEqual([1, 1])
  nowMs = 10_000
  expect([(await queue()).waiting, counted]).toEqual([2, 2])
})

test('when counting fails, whoever asks next has it counted anew', async () => {
  await using db = await openTestDatabase(newestServer())
  let away = true
  const query = async (...asked: Parameters<Queryable['query']>): Promise<unknown> => {
    if (away) throw new Error('away')
    return await db.query(...asked)
  }
  const queue = openQueueReader({ query } as Queryable, { monotonicMs: () => 0 })
  await expect(queue()).rejects.toThrow('away')
  away = false
  expect((await queue()).waiting).toBe(0)
})
