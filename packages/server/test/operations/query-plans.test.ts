import { writeFile } from 'node:fs/promises'
import type { AuditQuery, DeliverySearchQuery } from '@posthorn/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAuditLog } from '../../src/audit/list-audit-log.ts'
import type { Database } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { listDeliveries } from '../../src/deliveries/list-deliveries.ts'
import { searchDeliveries } from '../../src/deliveries/search-deliveries.ts'
import { typeId } from '../../src/domain/type-id.ts'
import { getEvent } from '../../src/events/get-event.ts'
import { listEvents } from '../../src/events/list-events.ts'
import { getWebhookHealth } from '../../src/health/get-webhook-health.ts'
import { listWebhookHealth } from '../../src/health/list-webhook-health.ts'
import { listApiKeys } from '../../src/api-keys/list-api-keys.ts'
import { getReplay } from '../../src/replays/get-replay.ts'
import { listAllReplays } from '../../src/replays/list-all-replays.ts'
import { listReplays } from '../../src/replays/list-replays.ts'
import { getStats } from '../../src/stats/get-stats.ts'
import { listSigningKeys } from '../../src/signing-keys/list-signing-keys.ts'
import { listWebhooks } from '../../src/webhooks/list-webhooks.ts'
import { openTestDatabase, verbServers } from '../support/test-database.ts'
import { verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { explain, nodesOf, type PlanNode } from './explain.ts'
import {
  type OrdinaryHistory,
  rows,
  spreadIds,
  storeBacklog,
  storeOrdinaryHistory,
  storeOutcomeStatistics,
} from './million-rows.ts'

const dayMs = 86_400_000

let db: Database
let ctx: VerbContext
let history: OrdinaryHistory
let backlog: Awaited<ReturnType<typeof storeBacklog>>

const large = /^(event|delivery|attempt)(_\d+)?$|^(queue|audit_entry|outcome_stat)$/

const since = (): string => new Date(Date.now() - 3 * dayMs).toISOString()
const until = (): string => new Date(Date.now() - 1 * dayMs).toISOString()
const limit = 50
const events = (input: object) => async (spied: VerbContext) =>
  await listEvents(spied, history.accountId, { limit, ...input })
const deliveries = (input: object) => async (spied: VerbContext) =>
  await listDeliveries(spied, history.accountId, history.webhookId, {
    limit,
    after_sequence: undefined,
    ...input,
  })

type Search = Partial<DeliverySearchQuery>
const search =
  (input: Search | (() => Search), whose = (): string => history.accountId) =>
  async (spied: VerbContext) =>
    await searchDeliveries(spied, whose(), { limit, ...(typeof input === 'function' ? input() : input) })
/** In the account with a backlog of a million. */
const searchBacklog = (input: Search | (() => Search)) => search(input, () => backlog.accountId)

const audit = (input: object) => async (spied: VerbContext) =>
  await listAuditLog(spied, history.accountId, { limit, ...input } as AuditQuery)

const routes: Array<[string, (spied: VerbContext) => Promise<unknown>]> = [
  ['GET /v1/audit-log', audit({})],
  ['GET /v1/audit-log?action=api_key.created', audit({ action: ['api_key.created'] })],
  ['GET /v1/audit-log?target=wh_…', audit({ target: 'wh_7' })],
  ['GET /v1/audit-log?since=…&until=…', audit({ since: since(), until: until() })],
  ['GET /v1/events', events({})],
  ['GET /v1/events?type=email.delivered', events({ type: ['email.delivered'] })],
  ['GET /v1/events?type=email.bounced', events({ type: ['email.bounced'] })],
  ['GET /v1/events?type=email.failed, which never happened', events({ type: ['email.failed'] })],
  ['GET /v1/events?email_id=', events({ email_id: 'em_none' })],
  ['GET /v1/events?recipient=', events({ recipient: 'ann@example.org' })],
  ['GET /v1/events?recipient=&type=', events({ recipient: 'ann@example.org', type: ['email.bounced'] })],
  ['GET /v1/events?since=&until=', async spied => await events({ since: since(), until: until() })(spied)],
  ['GET /v1/events/{id}', async spied => await getEvent(spied, history.accountId, history.someEvent)],
  ['GET /v1/webhooks/{id}/deliveries', deliveries({})],
  ['GET /v1/webhooks/{id}/deliveries?state=delivered', deliveries({ state: ['delivered'] })],
  ['GET /v1/webhooks/{id}/deliveries?state=pending', deliveries({ state: ['pending'] })],
  ['GET /v1/webhooks/{id}/deliveries?state=failed', deliveries({ state: ['failed'] })],
  ['GET /v1/webhooks/{id}/deliveries?state=exhausted', deliveries({ state: ['exhausted'] })],
  ['GET /v1/webhooks/{id}/deliveries?state=failed,exhausted', deliveries({ state: ['failed', 'exhausted'] })],
  ['GET /v1/webhooks/{id}/deliveries?type=email.unsubscribed', deliveries({ type: ['email.unsubscribed'] })],
  [
    'GET /v1/webhooks/{id}/deliveries?type=email.failed, which never happened',
    deliveries({ type: ['email.failed'] }),
  ],
  [
    'GET /v1/webhooks/{id}/deliveries?since=&until=',
    async spied => await deliveries({ since: since(), until: until() })(spied),
  ],
  ['GET /v1/webhooks/{id}/deliveries?after_sequence=', deliveries({ after_sequence: rows / 2 })],
  [
    'GET /v1/webhooks/{id}/deliveries?after_sequence=&state=failed',
    deliveries({ after_sequence: rows / 2, state: ['failed'] }),
  ],
  ['GET /v1/deliveries', search({})],
  ['GET /v1/deliveries?state=delivered', search({ state: ['delivered'] })],
  ['GET /v1/deliveries?state=pending', search({ state: ['pending'] })],
  ['GET /v1/deliveries?state=failed', search({ state: ['failed'] })],
  ['GET /v1/deliveries?state=exhausted', search({ state: ['exhausted'] })],
  [
    'GET /v1/deliveries?state=pending,failed,exhausted',
    search({ state: ['pending', 'failed', 'exhausted'] }),
  ],
  ['GET /v1/deliveries?type=email.delivered', search({ type: ['email.delivered'] })],
  ['GET /v1/deliveries?type=email.unsubscribed', search({ type: ['email.unsubscribed'] })],
  ['GET /v1/deliveries?type=email.failed, which never happened', search({ type: ['email.failed'] })],
  ['GET /v1/deliveries?error_code=connect_timeout', search({ error_code: ['connect_timeout'] })],
  ['GET /v1/deliveries?error_code=dns_failed, which never happened', search({ error_code: ['dns_failed'] })],
  [
    'GET /v1/deliveries?state=delivered&error_code=dns_failed, which never happened',
    search({ state: ['delivered'], error_code: ['dns_failed'] }),
  ],
  [
    'GET /v1/deliveries?state=exhausted&type=email.bounced',
    search({ state: ['exhausted'], type: ['email.bounced'] }),
  ],
  ['GET /v1/deliveries?event_id=', search(() => ({ event_id: typeId('evt', history.someEvent) }))],
  ['GET /v1/deliveries?email_id=', search({ email_id: 'em_none' })],
  ['GET /v1/deliveries?recipient=', search(() => ({ recipient: history.recipient }))],
  [
    'GET /v1/deliveries?recipient=&state=exhausted, which never happened',
    search(() => ({ recipient: history.recipient, state: ['exhausted'] })),
  ],
  ['GET /v1/deliveries?since=&until=', search(() => ({ since: since(), until: until() }))],
  [
    'GET /v1/deliveries?since=&until=&state=failed',
    search(() => ({ since: since(), until: until(), state: ['failed'] })),
  ],
  ['GET /v1/deliveries?webhook_id=', search(() => ({ webhook_id: typeId('wh', history.webhookId) }))],
  [
    'GET /v1/deliveries?webhook_id=&error_code=dns_failed, which never happened',
    search(() => ({ webhook_id: typeId('wh', history.webhookId), error_code: ['dns_failed'] })),
  ],
  ['GET /v1/deliveries?state=pending, a million', searchBacklog({ state: ['pending'] })],
  ['GET /v1/deliveries?state=failed, three behind a million', searchBacklog({ state: ['failed'] })],
  [
    'GET /v1/deliveries?webhook_id=&state=pending, a million',
    searchBacklog(() => ({ webhook_id: typeId('wh', backlog.webhookId), state: ['pending'] })),
  ],
  [
    'GET /v1/deliveries?webhook_id=&state=failed, three behind a million of another endpoint',
    searchBacklog(() => ({ webhook_id: typeId('wh', backlog.otherWebhookId), state: ['failed'] })),
  ],
  [
    'GET /v1/deliveries?webhook_id=&error_code=tls_expired, none among a million',
    searchBacklog(() => ({ webhook_id: typeId('wh', backlog.webhookId), error_code: ['tls_expired'] })),
  ],
  [
    'GET /v1/deliveries/{id}',
    async spied => await getDelivery(spied, history.accountId, history.someDelivery),
  ],
  [
    'GET /v1/deliveries/{id}, behind a million',
    async spied => await getDelivery(spied, backlog.accountId, backlog.lastDelivery),
  ],
  [
    'GET /v1/webhooks/{id}/health',
    async spied => await getWebhookHealth(spied, history.accountId, history.webhookId),
  ],
  [
    'GET /v1/stats?since=, a month',
    async spied =>
      await getStats(spied, history.accountId, {
        since: new Date(Date.now() - 30 * dayMs).toISOString(),
        bucket: '2h',
      }),
  ],
  ['GET /v1/webhook-health', async spied => await listWebhookHealth(spied, history.accountId, { limit })],
  [
    'GET /v1/webhook-health, a million wait',
    async spied => await listWebhookHealth(spied, backlog.accountId, { limit }),
  ],
  ['GET /v1/webhooks', async spied => await listWebhooks(spied, history.accountId, { limit })],
  [
    'GET /v1/webhooks/{id}/signing-keys',
    async spied => await listSigningKeys(spied, history.accountId, history.webhookId, { limit }),
  ],
  [
    'GET /v1/webhooks/{id}/replays',
    async spied => await listReplays(spied, history.accountId, history.webhookId, { limit }),
  ],
  [
    'GET /v1/replays',
    async spied => await listAllReplays(spied, history.accountId, { limit, webhookId: null }),
  ],
  [
    'GET /v1/replays?webhook_id=',
    async spied => await listAllReplays(spied, history.accountId, { limit, webhookId: history.webhookId }),
  ],
  [
    'GET /v1/replays/{id}, of 50,000 deliveries',
    async spied => await getReplay(spied, history.accountId, history.replayId),
  ],
  ['GET /v1/accounts/{id}/api-keys', async spied => await listApiKeys(spied, history.accountId, { limit })],
]

describe.each(verbServers())('on $name', backend => {
  beforeAll(async () => {
    db = await openTestDatabase(backend)
    ctx = verbContext(db)
    const ids = await spreadIds(ctx)
    history = await storeOrdinaryHistory(ctx, ids)
    backlog = await storeBacklog(ctx, ids)
    await storeOutcomeStatistics(ctx, history.accountId)
    // as autovacuum does, because new entries of a GIN index are in its pending list until then
    for (const table of ['event', 'delivery', 'attempt', 'queue', 'audit_entry']) {
      await db.query(`vacuum (analyze) ${table}`)
    }
    await db.query('analyze')
  }, 600_000)
  afterAll(async () => await db[Symbol.asyncDispose]())

  test('every list and look-up among a million rows uses an index, however few rows a filter finds', async () => {
    const document: string[] = []
    for (const [name, run] of routes) {
      for (const { plan, ms } of await explain(ctx, run)) {
        const nodes = nodesOf(plan)
        const whole = nodes.filter(
          node => node['Node Type'] === 'Seq Scan' && large.test(node['Relation Name'] ?? ''),
        )
        expect
          .soft(
            whole.map(node => node['Relation Name']),
            `${name} reads a table whole`,
          )
          .toEqual([])
        // scanning a whole index is as bad as scanning the table; only queries that count the backlog may read all of it
        const walked = countsWhatWaits.test(name) ? 0 : Math.max(...nodes.map(rowsRead))
        expect.soft(walked, `rows that ${name} reads`).toBeLessThan(200_000)
        const used = [...new Set(nodes.map(describeNode).filter(text => text !== null))]
        if (nodes.some(node => large.test(node['Relation Name'] ?? ''))) {
          document.push(`| \`${name}\` | ${used.join('; ')} | ${ms.toFixed(1)} |`)
        }
      }
    }
    if (process.env['WRITE_QUERY_PLANS'] === '1') await writeFile(plansFile, documentOf(document))
  })
})

const plansFile = new URL('../../../../docs/maintaining/queries.md', import.meta.url)

const countsWhatWaits = /webhook-health, a million wait$/

/** The rows that a plan node read, including filtered ones. */
function rowsRead(node: PlanNode): number {
  const thrownAway = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return ((node['Actual Rows'] ?? 0) + thrownAway) * (node['Actual Loops'] ?? 1)
}

/** Treats all partitions of a table as one, because their names contain the day. */
function describeNode(node: PlanNode): string | null {
  const relation = node['Relation Name']?.replace(/_\d+$/, '')
  const index = node['Index Name']?.replace(/_\d{8}/, '')
  if (relation === undefined && index === undefined) return null
  return index === undefined ? `${node['Node Type']} on ${relation}` : `${node['Node Type']} of ${index}`
}

function documentOf(lines: readonly string[]): string {
  return `# How lists find their rows

\`packages/server/test/operations/query-plans.test.ts\` writes this page if you run it with \`WRITE_QUERY_PLANS=1\`. In
PostgreSQL it stores:

- a million events, deliveries, attempts and audit entries of one account and one endpoint, spread over all partitions.
  98% are \`email.delivered\`, 0.05% were given up, 0.12% still wait, and one recipient got every hundredth mail.
- a month of outcome statistics of this account and of thirty others.
- in a second account, a million deliveries that wait for a disabled endpoint, and three that wait for another one.

Then it calls the verbs and explains the very statements they send. It fails if one of them reads a whole partition or the
whole queue, or walks along an index for more than 200,000 rows. The one exception is the exact count of what waits for an
endpoint.

Statements that read history are planned once per connection, for all values
(\`packages/server/src/db/planned-once.ts\`). With a month of days, planning takes longer than reading a page. Searches by
keys, and dates in the list of one endpoint, are planned for their values.
\`packages/server/test/operations/plans-of-empty-tables.test.ts\` checks the plans made for empty tables.

Ids are UUIDv7. The primary key (account, id) is therefore the order of time, and a range of time is a range of ids, which
skips the days that cannot match.

| List | Index |
| --- | --- |
| deliveries of an account | primary key (account, id) |
| deliveries of an endpoint | (endpoint, sequence) |
| what was given up; types other than \`email.delivered\` | partial indexes |
| what is pending or failed | \`queue\` |
| emails and recipients | a digest in a GIN index of events |
| deliveries of an email or recipient | their events' milliseconds, which their ids contain |

States and error codes have no index. Both change when an attempt is settled, and an update of an indexed column writes
a new entry into every index of the row: each delivery would pay for it. As things are, a result rewrites the row beside the
old one, on the same page. \`delivery_given_up\` depends on the reason alone, so that it costs one entry for each delivery that
is given up. An error code is searched for among what waits and what was given up, where such deliveries are; among what was
delivered only when that is asked for.

If no index fits, the search has bounds. A page looks through at most 5,000 rows: a first statement finds out how far that
is, and \`next_cursor\` continues from there. So a page can be short although more follow. Posthorn counts only along
\`queue_due\`: what is due for an endpoint, and up to 10,000 deliveries that go before a single one. Statistics, and the
traffic in an endpoint's health, are sums of \`attempt_stat\` and \`outcome_stat\`, never of events, deliveries or attempts.

Milliseconds are from one run on a busy machine with two cores. They count execution alone.

| Request | Plan | ms |
|---|---|---|
${lines.join('\n')}
`
}
