import { expect, test } from 'vitest'
import { type DueEndpoint, findDue, firstEndpoint } from '../../src/dispatch/find-due.ts'
import { newId } from '../../src/new-id.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { newAccount, verbContext } from '../verbs/verb-context.ts'

test('a search finds every endpoint with due deliveries once, in several parts', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const ids = Array.from({ length: 1_234 }, () => newId(ctx))
  await db.query(
    `insert into endpoint (account_id, id, url, events, status, disabled_reason, failures_in_row, rate_limit_per_second)
     select $1, id, 'https://hooks.example.com/', '{email.delivered}', case when n % 7 = 0 then 'disabled' else 'enabled' end,
       case when n % 7 = 0 then 'manual' end, n % 5, case when n % 3 = 0 then 10 end
     from unnest($2::uuid[]) with ordinality as one (id, n)`,
    [accountId, ids],
  )
  // each has two rows in the queue; one is due at every other endpoint
  await db.query(
    `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
     select $1, gen_random_uuid(), id, gen_random_uuid(), now() + (2 * k - 3 * (n % 2)) * interval '1 minute', k
     from unnest($2::uuid[]) with ordinality as one (id, n), generate_series(1, 2) k`,
    [accountId, ids],
  )

  const all: DueEndpoint[] = []
  let parts = 0
  for (let after: string | null = firstEndpoint; after !== null; parts++) {
    const { found, last } = await findDue(db, after)
    all.push(...found)
    after = last
  }
  const [first] = await db.query<{ ms: number }>(
    'select floor(extract(epoch from min(due_at)) * 1000)::float8 as ms from queue',
  )
  const firstDueMs = first?.ms
  const expected = ids
    .map((endpointId, index) => ({ endpointId, n: index + 1 }))
    .filter(({ n }) => n % 2 === 1 && n % 7 !== 0)
    .map(({ endpointId, n }) => ({
      accountId,
      endpointId,
      failuresInRow: n % 5,
      limited: n % 3 === 0,
      dueFromMs: firstDueMs,
    }))
  expect(all).toEqual(expected)
  expect(parts).toBe(3)
})
