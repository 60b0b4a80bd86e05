import { expect, test } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'
import { claimerAlone } from './claimer-alone.ts'

test('a claim that finds nothing at the endpoints it asks goes on with those that wait behind them', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const waiting = uuidOf('wh', id)
  await storeDelivery(ctx, accountId, waiting, await storeEvent(ctx, accountId, {}))
  await db.query(`update waiting set due_at = now() + interval '1 day'`)
  const { spied, sent } = spyOn(db)
  const { claimer, claimed } = claimerAlone(ctx, { db: spied })
  claimer.start()
  await until('the claimer has looked for endpoints', () => sent('find-ready') === 1)

  // what another process has taken since: more endpoints than one claim asks
  const emptied = Array.from({ length: 60 }, () => newId(ctx))
  await db.query('update waiting set due_at = now()')
  claimer.left(
    [...emptied, waiting].map(endpointId => ({ accountId, endpointId, paced: false, deliveries: 1 })),
  )

  await until('the delivery behind them is claimed', () => claimed() === 1)
  expect(sent('claim')).toBeGreaterThan(1)
  // and not because the safety net looked at the whole table again
  expect(sent('find-ready')).toBe(1)
  await claimer.stop()
})

test('an endpoint whose pace somebody else is just reading is asked again at once, not by the safety net', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, {
    url: 'https://hooks.example.com/',
    rate_limit_per_second: 10,
  })
  const endpointId = uuidOf('wh', id)
  await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
  await db.query('update waiting set due_at = now()')
  const { spied, sent } = spyOn(db)
  const { claimer, claimed } = claimerAlone(ctx, { db: spied })
  await db.transaction(async other => {
    await other.query('select from endpoint where id = $1 for no key update', [endpointId])
    claimer.start()
    await until('the claimer has asked several times', () => sent('claim-paced') >= 3)
    expect(claimed()).toBe(0)
  })
  await until('the delivery is claimed', () => claimed() === 1)
  expect(sent('find-ready')).toBe(1)
  await claimer.stop()
})

test('one delivery that is taken already does not keep the others from being claimed', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  for (const rate_limit_per_second of [null, 100]) {
    const { id } = await createWebhook(ctx, accountId, {
      url: 'https://hooks.example.com/',
      rate_limit_per_second,
    })
    for (let n = 0; n < 3; n++) {
      const event = await storeEvent(ctx, accountId, {})
      await storeDelivery(ctx, accountId, uuidOf('wh', id), event, { state: 'failed', attempts: 1 })
    }
  }
  await db.query(
    `insert into taken (account_id, delivery_id, endpoint_id, event_id, process_id, leased_until, sequence, claim)
     select account_id, delivery_id, endpoint_id, event_id, gen_random_uuid(), now() + interval '1 hour', sequence, claim
     from waiting where sequence = 2`,
  )
  await db.query('update waiting set due_at = now()')
  const { claimer, claimed } = claimerAlone(ctx, { db })
  claimer.start()
  await until('the others are claimed', () => claimed() === 4)
  await until('none waits', async () => (await db.query('select from waiting')).length === 0)
  expect(claimed()).toBe(4)
  await claimer.stop()
})

/** How often each prepared statement was sent. */
function spyOn(db: Database): { spied: Database; sent: (name: string) => number } {
  const names: string[] = []
  const query: Database['query'] = async (statement, values) => {
    if (typeof statement !== 'string') names.push(statement.name)
    return await db.query(statement, values)
  }
  return { spied: { ...db, query }, sent: name => names.filter(one => one === name).length }
}
