import { expect } from 'vitest'
import { claim } from '../../src/dispatch/claim.ts'
import { findDue, firstEndpoint } from '../../src/dispatch/find-due.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { explain, nodesOf, type PlanNode } from '../operations/explain.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { startProcess } from '../verbs/stored-delivery.ts'
import { newAccount, uuidOf, verbContext } from '../verbs/verb-context.ts'
import { fault } from './fault.ts'

const rows = 10_000_000
const endpoints = 100
const capacity = 10

/** The rows of `queue` that a plan read, with or without an index. */
const looked = (nodes: readonly PlanNode[]): number =>
  nodes
    .filter(node => node['Relation Name'] === 'queue')
    .reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1), 0)

fault(
  'F51',
  'due deliveries are found and claimed with a few index entries per endpoint, regardless of the backlog',
  async seen => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    const accountId = await newAccount(ctx)
    await db.query('update account set max_endpoints = $2 where id = $1', [accountId, endpoints])
    const ids = []
    for (let n = 0; n < endpoints; n++) {
      const url = `https://hooks.example.com/${n}`
      ids.push(uuidOf('wh', (await createWebhook(ctx, accountId, { url })).id))
    }
    // in batches, because a statement may take at most a minute
    for (let n = 0; n < endpoints; n++) {
      await db.query(
        `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
         select $1, gen_random_uuid(), $2, gen_random_uuid(),
           now() + case when n % 2 = 0 then -1 else 1 end * interval '1 hour' + n * interval '1 millisecond', n
         from generate_series(1, $3::int) n`,
        [accountId, ids[n], rows / endpoints],
      )
    }
    const found = await explain(ctx, async ({ db: spied }) => void (await findDue(spied, firstEndpoint)))
    const asked = ids.map(endpointId => ({
      accountId,
      endpointId,
      capacity,
      failuresInRow: 0,
      limited: false,
    }))
    const options = {
      number: await startProcess(ctx),
      drainPerSecond: 1,
      monotonicMs: () => performance.now(),
    }
    const claimed = await explain(ctx, async ({ db: spied }) => void (await claim(spied, asked, options)))
    for (const { plan } of [...found, ...claimed]) {
      const scans = nodesOf(plan).filter(node => node['Relation Name'] === 'queue')
      expect(scans.map(node => node['Node Type'])).not.toContain('Seq Scan')
    }
    const foundRows = looked(found.flatMap(({ plan }) => nodesOf(plan)))
    const claimedRows = looked(claimed.flatMap(({ plan }) => nodesOf(plan)))
    expect(foundRows).toBeLessThanOrEqual(2 * endpoints)
    expect(claimedRows).toBeLessThanOrEqual(4 * endpoints * capacity)
    seen(
      `${rows.toLocaleString('en')} pending deliveries: ${foundRows} rows read to find ${endpoints} endpoints, ${claimedRows} to claim ${endpoints * capacity}`,
    )
  },
  900_000,
)
