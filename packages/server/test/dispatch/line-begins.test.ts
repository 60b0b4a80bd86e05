import { expect, test } from 'vitest'
import { claim, type EndpointRoom } from '../../src/dispatch/claim.ts'
import { claimPaced } from '../../src/dispatch/claim-paced.ts'
import { findReady, firstEndpoint } from '../../src/dispatch/find-ready.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { explain, nodesOf } from '../operations/explain.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { storeDelivery, storeEvent } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, type VerbContext, verbContext } from '../verbs/verb-context.ts'

async function open(ctx: VerbContext) {
  const accountId = await newAccount(ctx)
  const { id } = await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })
  const endpointId = uuidOf('wh', id)
  const options = { processId: newId(ctx), leaseMs: 60_000, monotonicMs: () => performance.now() }
  const look = async (): Promise<Array<{ accountId: string; endpointId: string; dueFromMs?: number }>> =>
    (await findReady(ctx.db, firstEndpoint)).ready
  return { accountId, endpointId, options, look }
}

test.each(['free', 'paced'])(
  'a claim of what is %s begins where a look found the first, not with what was claimed before',
  async kind => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const { accountId, endpointId, options, look } = await open(ctx)
    await db.query('alter table waiting set (autovacuum_enabled = off)')
    await db.query('update endpoint set rate_limit_per_second = $1', [kind === 'paced' ? 100 : null])
    await db.query(
      `insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), now() - interval '1 hour' + n * interval '1 ms', n
       from generate_series(1, 20000) n`,
      [accountId, endpointId],
    )
    await db.query('vacuum analyze waiting')
    await db.query('delete from waiting where sequence < 19000')
    const ready = (await look()).map(endpoint => ({ ...endpoint, room: 10 }))
    const pagesFor = async (rooms: readonly EndpointRoom[]): Promise<number> => {
      await db.query('update endpoint set bucket_tokens = 100, bucket_at = now()')
      const explained = await explain(ctx, async ({ db: spied }) =>
        kind === 'paced'
          ? await claimPaced(spied, rooms, { ...options, drainPerSecond: 100 })
          : await claim(spied, rooms, options),
      )
      const reads = explained
        .flatMap(({ plan }) => nodesOf(plan))
        .filter(node => node['Index Name'] === 'waiting_due')
      expect(reads.map(node => node['Actual Rows'])).toContain(10)
      return reads.reduce(
        (sum, node) => sum + (node['Shared Hit Blocks'] ?? 0) + (node['Shared Read Blocks'] ?? 0),
        0,
      )
    }
    const pages = await pagesFor(ready)
    const fromTheBeginning = await pagesFor([{ accountId, endpointId, room: 10 }])
    expect(fromTheBeginning).toBeGreaterThan(3 * pages)
  },
)

test('what was just being written when a look was made is claimed with what it found', async () => {
  await using db = await openTestDatabase(newestServer())
  const ctx = verbContext(db)
  const { accountId, endpointId, options, look } = await open(ctx)
  const event = await storeEvent(ctx, accountId, {})
  const later = await storeDelivery(ctx, accountId, endpointId, event)
  const earlier = await storeDelivery(ctx, accountId, endpointId, event)
  await db.query(`update waiting set due_at = now() + interval '1 hour' where delivery_id = $1`, [earlier])
  const ready = await db.transaction(async tx => {
    await tx.query('update waiting set due_at = now() where delivery_id = $1', [earlier])
    await db.query('update waiting set due_at = clock_timestamp() where delivery_id = $1', [later])
    return await look()
  })
  expect(ready).toHaveLength(1)
  const claimed = await claim(
    db,
    ready.map(endpoint => ({ ...endpoint, room: 10 })),
    options,
  )
  expect(claimed.map(({ deliveryId }) => deliveryId).toSorted()).toEqual([later, earlier].toSorted())
})
