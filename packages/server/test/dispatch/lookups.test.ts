import { expect, test } from 'vitest'
import type { Queryable } from '../../src/db/database.ts'
import { lookupsOnlySettings } from '../../src/db/session-settings.ts'
import { type ClaimRequest, claim } from '../../src/dispatch/claim.ts'
import { findDue, firstEndpoint } from '../../src/dispatch/find-due.ts'
import { release } from '../../src/dispatch/release.ts'
import { settle, type Settlement } from '../../src/dispatch/settle.ts'
import { lateStatement, settleValues } from '../../src/dispatch/settle-statement.ts'
import { settleDeletedEndpoints } from '../../src/maintenance/settle-deleted-endpoints.ts'
import { newId } from '../../src/new-id.ts'
import { accept } from '../../src/outcomes/accept.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { explain, nodesOf, type PlanNode } from '../operations/explain.ts'
import { applySettings } from '../support/apply-settings.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { startProcess, storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { asking, claimAs, handOffTo } from './handed-over.ts'
import { settlementOf } from './settlement-of.ts'

/** The indexes of `queue` that the statements use with the settings of the hot path. */
async function indexesOf(ctx: VerbContext, run: (spied: Queryable) => Promise<unknown>): Promise<string[]> {
  const names = (await nodesOfAll(ctx, run)).flatMap(node => node['Index Name'] ?? [])
  return [...new Set(names.filter(name => name.startsWith('queue_')))]
}

async function nodesOfAll(
  ctx: VerbContext,
  run: (spied: Queryable) => Promise<unknown>,
): Promise<PlanNode[]> {
  return await ctx.db.transaction(async tx => {
    await applySettings(tx, lookupsOnlySettings)
    const transaction = async (): Promise<never> => await Promise.reject(new Error('there is one already'))
    // EXPLAIN runs the statement already; running it again would settle late results
    const query: Queryable['query'] = async (statement, values) =>
      typeof statement === 'string' && statement.startsWith('explain')
        ? await tx.query(statement, values)
        : []
    const explained = await explain({ ...ctx, db: { query, transaction } }, async ({ db }) => await run(db))
    return explained.flatMap(({ plan }) => nodesOf(plan))
  })
}

// For one expected row, all indexes cost the same except for their height. Such a plan stays in use while the statistics are
// old, although a million deliveries may be queued by then.
test.each(['queue_due', 'queue_pkey', 'queue_held'])(
  'a plan made for an empty queue, when %s was the smaller index, uses the right indexes',
  async smaller => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    const endpointId = uuidOf('wh', id)
    await db.query(
      `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, process)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), now(), n, case when n % 2 = 0 then 1 end
       from generate_series(1, 40000) n`,
      [accountId, endpointId],
    )
    await db.query('vacuum analyze queue')
    await db.query('delete from queue')
    await db.query('vacuum analyze queue')
    await db.query(`reindex index ${smaller}`)

    const process = await startProcess(ctx)
    for (let n = 0; n < 2; n++)
      await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
    await db.query('update queue set due_at = now()')
    const asked = [asking({ accountId, endpointId })]
    const event = {
      accountId,
      id: newId(ctx),
      firstDeliveryId: newId(ctx),
      type: 'email.delivered',
      body: Buffer.from('{}'),
      searchKeys: [],
      filterKeys: [],
      outcomeDigest: '00'.repeat(16),
      counted: { reason: '', domains: ['example.org'] },
    } as const
    const { claimed } = await claim(db, asked, claimAs(process))
    const [first, second] = claimed
    if (first === undefined || second === undefined) throw new Error('the deliveries were not claimed')

    const finding = async (spied: Queryable) => await findDue(spied, firstEndpoint)
    expect(await indexesOf(ctx, finding)).toEqual(['queue_due'])
    for (const requests of [asked, asked.map(limited)]) {
      const claiming = async (spied: Queryable) => await claim(spied, requests, claimAs(process))
      expect(await indexesOf(ctx, claiming)).toEqual(['queue_first', 'queue_due'])
    }
    const storing = async (spied: Queryable) => await accept(spied, [event], handOffTo(process))
    expect(await indexesOf(ctx, storing)).toEqual([])

    const results = [settlementOf(ctx, first, 204), settlementOf(ctx, second, 503)]
    const byDelivery: Array<(spied: Queryable) => Promise<unknown>> = [
      async spied => await release(spied, claimed),
      async spied => await settle(spied, results),
      async spied => await spied.query(lateStatement, settleValues(results)),
    ]
    for (const run of byDelivery) expect(await indexesOf(ctx, run)).toEqual(['queue_pkey'])
  },
)

const limited = (asked: ClaimRequest): ClaimRequest => ({ ...asked, limited: true })

/** Autovacuum would analyze the partitions if the test took long. */
const keepUnanalyzed = `
do $$
declare partition regclass;
begin
  for partition in select inhrelid::regclass from pg_inherits where inhparent = 'delivery'::regclass loop
    execute format('alter table %s set (autovacuum_enabled = false)', partition);
  end loop;
end $$`

test.each([
  ['in time', async (spied: Queryable, one: Settlement) => await settle(spied, [one])],
  [
    'late',
    async (spied: Queryable, one: Settlement) => await spied.query(lateStatement, settleValues([one])),
  ],
])(
  'settling a result that comes %s, in a partition without statistics, reads only its delivery',
  async (_, run) => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
    const endpointId = uuidOf('wh', id)
    await db.query(keepUnanalyzed)
    const event = await storeEvent(ctx, accountId, {})
    for (let n = 0; n < 100; n++) await storeDelivery(ctx, accountId, endpointId, event)
    await db.query('update queue set due_at = now()')
    const asked = asking({ accountId, endpointId }, 1)
    const { claimed } = await claim(db, [asked], claimAs(await startProcess(ctx)))
    const [delivery] = claimed
    if (delivery === undefined) throw new Error('the delivery was not claimed')

    const nodes = await nodesOfAll(ctx, async spied => await run(spied, settlementOf(ctx, delivery, 503)))
    const ofDelivery = nodes.filter(node => node['Relation Name']?.startsWith('delivery') === true)
    const reads = ofDelivery.filter(({ 'Node Type': type }) => type !== 'ModifyTable')
    expect(reads.filter(node => (node['Actual Rows'] ?? 0) > 1)).toEqual([])
    expect(reads.filter(node => (node['Rows Removed by Filter'] ?? 0) > 0)).toEqual([])
    expect(reads.some(node => node['Actual Rows'] === 1 && node['Index Name'] !== undefined)).toBe(true)
  },
)

// until the partitions are analyzed, a plan that could write to them may sort all deliveries of the day
test('without deleted endpoints, the search for their queued deliveries is planned without reading deliveries', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const accountId = await newAccount(ctx)
  await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const explained = await explain(ctx, settleDeletedEndpoints)
  const tables = explained.flatMap(({ plan }) => nodesOf(plan)).map(node => node['Relation Name'])
  expect(tables).toContain('endpoint')
  expect(tables.filter(table => table?.startsWith('delivery'))).toEqual([])
})
