import { expect, test } from 'vitest'
import { newId } from '../../src/new-id.ts'
import { ProcessRegister } from '../../src/system/process-register.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { verbContext } from '../verbs/verb-context.ts'

test('a process learns that one of an earlier release lives, and when it is gone', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  await using register = await ProcessRegister.open({
    db,
    process: { id: newId(ctx), host: 'here', role: 'all', version: '2', startedAtMs: 0 },
    alone: false,
    activity: () => ({
      inFlight: 0,
      held: 0,
      unsettled: 0,
      perSecond: { accepted: 0, delivered: 0, failed: 0 },
    }),
    everyMs: 5,
    onError: error => {
      throw error
    },
  })
  expect(register.olderLive).toBe(false)
  await db.query(
    `insert into process (id, host, role, version, started_at, in_flight, held, unsettled, accepted_per_second,
       delivered_per_second, failed_per_second)
     values ($1, 'there', 'all', '1', now(), 0, 0, 0, 0, 0, 0)`,
    [newId(ctx)],
  )
  await until('it is known', () => register.olderLive)
  await db.query(`update process set last_seen_at = now() - interval '1 minute' where version = '1'`)
  await until('it is known to be gone', () => !register.olderLive)
})
