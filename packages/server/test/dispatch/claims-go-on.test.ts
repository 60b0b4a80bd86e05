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

/** How often each prepared statement was sent. */
function spyOn(db: Database): { spied: Database; sent: (name: string) => number } {
  const names: string[] = []
  const query: Database['query'] = async (statement, values) => {
    if (typeof statement !== 'string') names.push(statement.name)
    return await db.query(statement, values)
  }
  return { spied: { ...db, query }, sent: name => names.filter(one => one === name).length }
}
