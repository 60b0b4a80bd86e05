import { expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { claimerAlone } from './claimer-alone.ts'

/** Creates an endpoint with one delivery that is due now or in a day. */
async function open(ctx: VerbContext, due: 'due' | 'later', rateLimit: number | null = null) {
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, {
    url: 'https://hooks.example.com/',
    rate_limit_per_second: rateLimit,
  })
  const endpointId = uuidOf('wh', id)
  const deliveryId = await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
  await ctx.db.query(`update queue set due_at = now() + $1::int * interval '1 day'`, [due === 'due' ? 0 : 1])
  const spy = spyOn(ctx.db)
  return { accountId, endpointId, deliveryId, ...spy, ...(await claimerAlone(ctx, { db: spy.spied })) }
}

test('a claim that finds nothing at its endpoints continues with the next ones', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { accountId, endpointId, claimer, claimed, sent } = await open(ctx, 'later')
  claimer.start()
  await until('the claimer has looked at the queue', () => sent('find-due') === 1)

  // more endpoints than one claim asks for; another process has claimed their deliveries
  const emptied = Array.from({ length: 60 }, () => newId(ctx))
  await db.query('update queue set due_at = now()')
  claimer.left(
    [...emptied, endpointId].map(id => ({ accountId, endpointId: id, limited: false, deliveries: 1 })),
  )

  await until('the delivery behind them is claimed', () => claimed() === 1)
  expect(sent('claim')).toBeGreaterThan(1)
  // not because the periodic check looked at the queue again
  expect(sent('find-due')).toBe(1)
  await claimer.stop()
})

test('a token bucket locked by another process is retried at once, not by the periodic check', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { endpointId, claimer, claimed, sent } = await open(ctx, 'due', 10)
  await db.transaction(async other => {
    await other.query('select from endpoint where id = $1 for no key update', [endpointId])
    claimer.start()
    await until('the claimer has asked several times', () => sent('claim-limited') >= 3)
    expect(claimed()).toBe(0)
  })
  await until('the delivery is claimed', () => claimed() === 1)
  expect(sent('find-due')).toBe(1)
  await claimer.stop()
})

test.each([
  ['claim', null],
  ['claim-limited', 100],
] as const)(
  'a row that is locked during the statement %s is claimed soon after it is unlocked',
  async (name, rateLimit) => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const { deliveryId, claimer, claimed, sent } = await open(ctx, 'due', rateLimit)
    await db.transaction(async other => {
      await other.query('select from queue where delivery_id = $1 for update', [deliveryId])
      claimer.start()
      await until('the claimer has skipped it', () => sent(name) >= 3)
      expect(claimed()).toBe(0)
    })
    await until('it is claimed', () => claimed() === 1)
    expect(sent('find-due')).toBe(1)
    await claimer.stop()
  },
)

/** Counts how often each prepared statement was sent. */
function spyOn(db: Queryable): { spied: Queryable; sent: (name: string) => number } {
  const names: string[] = []
  const query: Queryable['query'] = async (statement, values) => {
    if (typeof statement !== 'string') names.push(statement.name)
    return await db.query(statement, values)
  }
  return { spied: { ...db, query }, sent: name => names.filter(one => one === name).length }
}
