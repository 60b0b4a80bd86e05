import { expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { lookupsOnlySettings } from '../../src/db/session-settings.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { findReady, firstEndpoint } from '../../src/dispatch/find-ready.ts'
import { release } from '../../src/dispatch/release.ts'
import { settle } from '../../src/dispatch/settle.ts'
import { lateResult } from '../../src/dispatch/settle-statement.ts'
import { giveUpLost } from '../../src/domain/decide-attempt.ts'
import type { TakenDelivery } from '../../src/domain/taken-delivery.ts'
import { settleDeletedEndpoints } from '../../src/maintenance/settle-deleted-endpoints.ts'
import { newId } from '../../src/new-id.ts'
import { accept } from '../../src/outcomes/accept.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { explain, nodesOf, type PlanNode } from '../operations/explain.ts'
import { applySettings } from '../support/apply-settings.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { settlementOf } from './settlement-of.ts'

/** The indexes of `waiting`, `taken` and `hold` by which the statements look things up, with the settings of the hot path. */
async function indexesOf(ctx: VerbContext, run: (spied: Queryable) => Promise<unknown>): Promise<string[]> {
  const names = (await nodesOfAll(ctx, run)).flatMap(node => node['Index Name'] ?? [])
  return [...new Set(names.filter(name => /^(waiting|taken|hold)_/.test(name)))]
}

async function nodesOfAll(
  ctx: VerbContext,
  run: (spied: Queryable) => Promise<unknown>,
): Promise<PlanNode[]> {
  return await ctx.db.transaction(async tx => {
    await applySettings(tx, lookupsOnlySettings)
    const transaction = async (): Promise<never> => await Promise.reject(new Error('there is one already'))
    // explaining runs a statement already: once more, and what it settles would be late
    const query: Queryable['query'] = async (statement, values) =>
      typeof statement === 'string' && statement.startsWith('explain')
        ? await tx.query(statement, values)
        : []
    const explained = await explain({ ...ctx, db: { query, transaction } }, async ({ db }) => await run(db))
    return explained.flatMap(({ plan }) => nodesOf(plan))
  })
}

/** As if a result were late: the first statement is refused, and the next is for any. */
function refusingFirst(spied: Queryable): Queryable {
  let refused = false
  return {
    ...spied,
    query: async (statement, values) => {
      if (refused) return await spied.query(statement, values)
      refused = true
      throw Object.assign(new Error('a result is late'), { code: lateResult })
    },
  }
}

// Where one row is expected all indexes cost the same, but for how high they are: a plan made then is used for as long
// as the statistics stay as they were, while a million deliveries may have come to wait.
test.each(['waiting_due', 'waiting_pkey'])(
  'a plan made while nothing waited, when %s was the smaller index, looks each thing up by its own',
  async smaller => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    const endpointId = uuidOf('wh', id)
    await db.query(
      `insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), now(), n from generate_series(1, 20000) n`,
      [accountId, endpointId],
    )
    await db.query('vacuum analyze waiting')
    await db.query('delete from waiting')
    await db.query('vacuum analyze waiting')
    await db.query(`reindex index ${smaller}`)

    for (const claimBefore of [0, 1]) {
      const stored = await storeEvent(ctx, accountId, {})
      await storeDelivery(ctx, accountId, endpointId, stored, { claim: claimBefore })
    }
    await db.query('update waiting set due_at = now()')
    const options = { processId: newId(ctx), leaseMs: 60_000, monotonicMs: () => performance.now() }
    const room = [{ accountId, endpointId, room: 10 }]
    const rooms = { total: 10, perEndpoint: 10, known: () => new Map() }
    const event = {
      accountId,
      id: newId(ctx),
      firstDeliveryId: newId(ctx),
      type: 'email.delivered',
      body: Buffer.from('{}'),
      searchKeys: [],
      outcomeDigest: '00'.repeat(16),
    } as const
    const [first, later] = await claim(db, room, options)
    if (first === undefined || later === undefined) throw new Error('the deliveries were not claimed')

    const byEndpoint: Array<(spied: Queryable) => Promise<unknown>> = [
      async spied => await accept(spied, [event], { ...options, rooms }),
      async spied => await findReady(spied, firstEndpoint),
      async spied => await claim(spied, room, options),
    ]
    for (const run of byEndpoint) expect(await indexesOf(ctx, run)).toEqual(['waiting_due'])

    const giving = (taken: TakenDelivery) => async (spied: Queryable) =>
      await release(spied, newId(ctx), [{ ...taken, dueInMs: 0 }])
    expect(await indexesOf(ctx, giving(first))).toEqual(['hold_pkey'])
    expect(await indexesOf(ctx, giving(later))).toEqual(['taken_pkey'])

    const acknowledged = settlementOf(ctx, first, 204)
    expect(await indexesOf(ctx, async spied => await settle(spied, [acknowledged]))).toEqual(['hold_pkey'])
    const lost = { taken: later, verdict: giveUpLost(later), attempt: null }
    const settled = await indexesOf(ctx, async spied => await settle(spied, [lost]))
    expect(settled.sort()).toEqual(['hold_pkey', 'taken_pkey'])
    // the statement for late results looks into waiting as well
    const settledLate = await indexesOf(ctx, async spied => await settle(refusingFirst(spied), [lost]))
    expect(settledLate.sort()).toEqual(['hold_pkey', 'taken_pkey', 'waiting_pkey'])
  },
)

test.each([
  { what: 'a first attempt', claim: 0 },
  { what: 'a later one', claim: 1 },
])(
  'to settle $what in a partition that nobody has analysed yet reads its delivery, and no other',
  async ({ claim: earlierClaim }) => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    const endpointId = uuidOf('wh', id)
    const event = await storeEvent(ctx, accountId, {})
    for (let n = 0; n < 100; n++)
      await storeDelivery(ctx, accountId, endpointId, event, { claim: earlierClaim })
    await db.query('update waiting set due_at = now()')
    const options = { processId: newId(ctx), leaseMs: 60_000, monotonicMs: () => performance.now() }
    const [taken] = await claim(db, [{ accountId, endpointId, room: 1 }], options)
    if (taken === undefined) throw new Error('the delivery was not claimed')

    const settled = { taken, verdict: giveUpLost(taken), attempt: null }
    const nodes = await nodesOfAll(ctx, async spied => await settle(spied, [settled]))
    const ofDelivery = nodes.filter(node => node['Index Name']?.startsWith('delivery_') === true)
    // only what is held together is looked up before it is written
    expect(ofDelivery.map(node => [node['Actual Rows'], node['Rows Removed by Filter'] ?? 0])).toEqual([
      [earlierClaim === 0 ? 1 : 0, 0],
      [1, 0],
    ])
  },
)

// until somebody analyses the day's deliveries, a plan that could write to them may sort all of them first
test('where no endpoint was deleted, to look for what waits for one is planned without deliveries', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const explained = await explain(ctx, settleDeletedEndpoints)
  const tables = explained.flatMap(({ plan }) => nodesOf(plan)).map(node => node['Relation Name'])
  expect(tables).toContain('endpoint')
  expect(tables.filter(table => table?.startsWith('delivery'))).toEqual([])
})
