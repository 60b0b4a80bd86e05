import { expect, test } from 'vitest'
import { type HealthEvent, watchEndpointHealth } from '../../src/health/watch-endpoint-health.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { newAccount, verbContext } from '../verbs/verb-context.ts'

test('among hundreds of failing endpoints, only the ones that have failed for too long are disabled', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const webhooks: string[] = []
  for (const accountId of [await newAccount(ctx, 130), await newAccount(ctx, 130)]) {
    for (let n = 0; n < 130; n++) {
      webhooks.push((await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })).id)
    }
  }
  // every second one, in the order in which they are checked
  await db.query(
    `update endpoint e set failures_in_row = 25,
       failing_since = now() - case when n.place % 2 = 0 then interval '6 days' else interval '1 hour' end
     from (select id, row_number() over (order by account_id, id) as place from endpoint where kind = 'events') n
     where e.id = n.id`,
  )
  const told: HealthEvent[] = []
  const { steps } = await watchEndpointHealth(ctx, Date.now(), event => told.push(event))

  expect(webhooks).toHaveLength(260)
  expect([steps, new Set(told.map(event => event.endpointId)).size]).toEqual([130, 130])
  expect(new Set(told.map(event => event.step))).toEqual(new Set(['disable']))
  const [left] = await db.query<{ enabled: number }>(
    `select count(*)::int as enabled from endpoint where kind = 'events' and status = 'enabled'
       and failing_since > now() - interval '2 hours'`,
  )
  expect(left?.enabled).toBe(130)
  expect(await watchEndpointHealth(ctx, Date.now(), event => told.push(event))).toEqual({ steps: 0 })
})

test('facts that were written while the clock was ahead cause one warning, not one after the other', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  await createWebhook(ctx, await newAccount(ctx), { url: 'https://hooks.example.com/' })
  await db.query(
    `update endpoint set failures_in_row = 13, failing_since = now() + interval '9 minutes',
       exhausted_since = now() + interval '10 minutes'`,
  )
  const told: HealthEvent[] = []
  const watch = async () => await watchEndpointHealth(ctx, null, event => told.push(event))

  expect(await watch()).toEqual({ steps: 1 })
  expect(told.map(event => event.step)).toEqual(['warn_exhausted'])
  expect(await watch()).toEqual({ steps: 0 })
})
