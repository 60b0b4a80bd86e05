import { expect, test } from 'vitest'
import { type ClaimRequest, claim } from '../../src/dispatch/claim.ts'
import { type DueEndpoint, findDue, firstEndpoint } from '../../src/dispatch/find-due.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { explain, nodesOf } from '../operations/explain.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { startProcess, storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'
import { claimAs } from './handed-over.ts'

async function open(ctx: VerbContext) {
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const endpointId = uuidOf('wh', id)
  const options = claimAs(await startProcess(ctx))
  const look = async (): Promise<DueEndpoint[]> => (await findDue(ctx.db, firstEndpoint)).found
  return { accountId, endpointId, options, look }
}

test.each([null, 100])(
  'with a rate limit of %s a claim starts at the first due row without reading earlier ones',
  async rateLimit => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const { accountId, endpointId, options, look } = await open(ctx)
    await db.query('alter table queue set (autovacuum_enabled = off)')
    await db.query('update endpoint set rate_limit_per_second = $1', [rateLimit])
    await db.query(
      `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), now() - interval '1 hour' + n * interval '1 ms', n
       from generate_series(1, 20000) n`,
      [accountId, endpointId],
    )
    await db.query('vacuum analyze queue')
    await db.query('delete from queue where sequence < 19000')
    const due = (await look()).map(endpoint => ({ ...endpoint, capacity: 10 }))
    const pagesFor = async (asked: readonly ClaimRequest[]): Promise<number> => {
      await db.query('update endpoint set bucket_tokens = 100, bucket_at = now()')
      const explained = await explain(ctx, async ({ db: spied }) => await claim(spied, asked, options))
      const reads = explained
        .flatMap(({ plan }) => nodesOf(plan))
        .filter(node => node['Index Name'] === 'queue_due')
      expect(reads.map(node => node['Actual Rows'])).toContain(10)
      return reads.reduce(
        (sum, node) => sum + (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
        0,
      )
    }
    const pages = await pagesFor(due)
    const fromTheBeginning = await pagesFor(due.map(endpoint => ({ ...endpoint, dueFromMs: 0 })))
    expect(fromTheBeginning).toBeGreaterThan(3 * pages)
  },
)

test('a delivery written during a search for due deliveries is claimed together with those found', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { accountId, endpointId, options, look } = await open(ctx)
  const event = await storeEvent(ctx, accountId, {})
  const later = await storeDelivery(ctx, accountId, endpointId, event)
  const earlier = await storeDelivery(ctx, accountId, endpointId, event)
  await db.query(`update queue set due_at = now() + interval '1 hour' where delivery_id = $1`, [earlier])
  const due = await db.transaction(async tx => {
    await tx.query('update queue set due_at = now() where delivery_id = $1', [earlier])
    await db.query('update queue set due_at = clock_timestamp() where delivery_id = $1', [later])
    return await look()
  })
  expect(due).toHaveLength(1)
  const asked = due.map(endpoint => ({ ...endpoint, capacity: 10 }))
  const { claimed } = await claim(db, asked, options)
  expect(claimed.map(({ deliveryId }) => deliveryId).toSorted()).toEqual([later, earlier].toSorted())
})

test('a search for newly due deliveries does not read rows claimed before, and finds those due since', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { accountId, endpointId } = await open(ctx)
  await db.query('alter table queue set (autovacuum_enabled = off)')
  await db.query(
    `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), now() - interval '1 hour' + n * interval '1 ms', n
     from generate_series(1, 20000) n`,
    [accountId, endpointId],
  )
  const { completeToMs } = await findDue(db, firstEndpoint)
  await db.transaction(async old => {
    await old.query('set transaction isolation level repeatable read')
    await old.query('select from queue limit 1')
    await db.query('delete from queue')
    const pagesFor = async (dueSinceMs: number): Promise<number> => {
      const explained = await explain(ctx, async ({ db: spied }) => {
        expect((await findDue(spied, firstEndpoint, dueSinceMs)).found).toEqual([])
      })
      return explained
        .flatMap(({ plan }) => nodesOf(plan))
        .filter(node => node['Index Name'] === 'queue_due')
        .reduce((sum, node) => sum + (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0), 0)
    }
    const pages = await pagesFor(completeToMs)
    expect(await pagesFor(0)).toBeGreaterThan(3 * pages)
  })
  await storeDelivery(ctx, accountId, endpointId, await storeEvent(ctx, accountId, {}))
  await db.query('update queue set due_at = now()')
  const { found } = await findDue(db, firstEndpoint, completeToMs)
  expect(found.map(one => one.endpointId)).toEqual([endpointId])
})
