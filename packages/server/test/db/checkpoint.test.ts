import { expect, test } from 'vitest'
import { checkpointEmbedded } from '../../src/maintenance/checkpoint-embedded.ts'
import { embedded, openTestDatabase } from '../support/test-database.ts'

test('the embedded database is checkpointed only when enough has changed since the last checkpoint', async () => {
  await using db = await openTestDatabase(embedded)
  await db.query('checkpoint')
  expect(await checkpointEmbedded(db, 1_000_000)).toEqual({ checkpointed: false })

  await db.query(
    `insert into outcome_key select gen_random_uuid(), decode(md5(n::text), 'hex'), gen_random_uuid()
     from generate_series(1, 10000) n`,
  )
  expect(await checkpointEmbedded(db, 1_000_000)).toEqual({ checkpointed: true })
  expect(await checkpointEmbedded(db, 1_000_000)).toEqual({ checkpointed: false })
})
