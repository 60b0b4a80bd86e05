import { writeFile } from 'node:fs/promises'
import type { AuditQuery } from '@posthorn/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditLog } from '../../src/audit/list-audit-log.ts'
import type { Database, PreparedStatement, Queryable } from '../../src/db/database.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { listDeliveries } from '../../src/deliveries/list-deliveries.ts'
import { getEvent } from '../../src/events/get-event.ts'
import { listEvents } from '../../src/events/list-events.ts'
import { ensurePartitions } from '../../src/maintenance/ensure-partitions.ts'
import { listApiKeys } from '../../src/api-keys/list-api-keys.ts'
import { getReplay } from '../../src/replays/get-replay.ts'
import { listAllReplays } from '../../src/replays/list-all-replays.ts'
import { listReplays } from '../../src/replays/list-replays.ts'
import { listSigningKeys } from '../../src/signing-keys/list-signing-keys.ts'
import { newId } from '../../src/new-id.ts'
import { createWebhook } from '../../src/webhooks/create-webhook.ts'
import { listWebhooks } from '../../src/webhooks/list-webhooks.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { newAccount, uuidOf, verbContext, type VerbContext } from '../verbs/verb-context.ts'

const rows = 1_000_000
const replayed = 50_000
const dayMs = 86_400_000

let db: Database
let ctx: VerbContext
let accountId: string
let webhookId: string
let someEvent: string
let someDelivery: string
let replayId: string

beforeAll(async () => {
  db = await openTestDatabase(newestServer())
  ctx = verbContext(db)
  accountId = await newAccount(ctx)
  webhookId = uuidOf('wh', (await createWebhook(ctx, accountId, { url: 'https://hooks.example.com/' })).id)
  await fill()
}, 600_000)
afterAll(async () => await db[Symbol.asyncDispose]())

/** A long history: of a million deliveries most were delivered, few are given up, few still wait. */
async function fill(): Promise<void> {
  const firstDayMs = Math.floor(Date.now() / dayMs) * dayMs - 8 * dayMs
  for (let day = 1; day <= 8; day++) await ensurePartitions(db, firstDayMs + day * dayMs)
  const [span] = await db.query<{ days: number }>(
    `select count(*) as days from pg_inherits where inhparent = 'event'::regclass`,
  )
  const stepMs = ((span?.days ?? 0) * dayMs - 1) / rows
  // every partition gets its share, for the planner may well read an empty one whole
  const uuid = (n: string, tail: string): string =>
    `(lpad(to_hex((${firstDayMs} + (${n} * ${stepMs}))::bigint), 12, '0') || '7000' || '8' || '${tail}' || lpad(to_hex(${n}), 14, '0'))::uuid`
  const type = `(case when n % 1000 = 0 then 'email.unsubscribed' when n % 50 = 0 then 'email.bounced' else 'email.delivered' end)::event_type`
  await db.query(
    `insert into event (account_id, id, type, search_keys, body)
     select $1, ${uuid('n', 'e')}, ${type}, array[n, 10000000 + n % 500000]::bigint[],
       convert_to('{"data":{"email_id":"em_1","to":["ann@example.org"]}}', 'utf8')
     from generate_series(0, ${rows - 1}) n`,
    [accountId],
  )
  await db.query(
    `insert into delivery (account_id, id, endpoint_id, event_id, type, sequence, state, reason, attempt_count)
     select $1, ${uuid('n', 'd')}, $2, ${uuid('n', 'e')}, ${type}, n + 1,
       (case when n % 2000 = 7 then 'exhausted' when n % 1000 = 3 then 'failed' when n % 5000 = 4 then 'pending'
             else 'delivered' end)::delivery_state,
       case when n % 2000 = 7 then 'retries_used' end, 1
     from generate_series(0, ${rows - 1}) n`,
    [accountId, webhookId],
  )
  await db.query(
    `insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
     select account_id, id, endpoint_id, event_id, now(), sequence from delivery where state in ('pending', 'failed')`,
  )
  // and the backlog of somebody else
  await db.query(
    `insert into waiting (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
     select $1, gen_random_uuid(), $1, $1, now(), n from generate_series(1, 100000) n`,
    [webhookId],
  )
  await db.query(
    `insert into attempt (account_id, delivery_id, id, number, trigger, duration_ms)
     select account_id, id, id, 1, 'schedule', 5 from delivery`,
  )
  await db.query(
    `insert into audit_entry (account_id, id, actor, action, target)
     select $1, ${uuid('n', 'a')}, 'operator', case when n % 1000 = 0 then 'api_key.created' else 'webhook.updated' end,
       'wh_' || n % 100
     from generate_series(0, ${rows - 1}) n`,
    [accountId],
  )
  replayId = newId(ctx)
  await db.query(
    `insert into replay (account_id, id, endpoint_id, state, from_id, to_id, states, types, total, done, traced)
     values ($1, $2, $3, 'running', $2, $2, '{delivered}', '{}', $4, $4, true)`,
    [accountId, replayId, webhookId, replayed],
  )
  await db.query(
    `insert into replay_delivery (account_id, replay_id, delivery_id)
     select account_id, $2, id from delivery where account_id = $1 and sequence % ${rows / replayed} = 0`,
    [accountId, replayId],
  )
  // as autovacuum does after so many rows: what is new in a GIN index lies in a list until then
  await db.query('vacuum (analyze)')
  const [middle] = await db.query<{ id: string; event_id: string }>(
    'select id, event_id from delivery where endpoint_id = $1 and sequence = $2',
    [webhookId, rows / 2],
  )
  someDelivery = middle?.id ?? ''
  someEvent = middle?.event_id ?? ''
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  Plans?: PlanNode[]
}

interface Explained {
  plan: PlanNode
  ms: number
}

/** The very statements that a verb sends, each explained while it runs. */
async function explain(run: (spied: VerbContext) => Promise<unknown>): Promise<Explained[]> {
  const explained: Explained[] = []
  const query: Queryable['query'] = async <Row extends object>(
    statement: string | PreparedStatement,
    values?: readonly unknown[],
  ): Promise<Row[]> => {
    const text = typeof statement === 'string' ? statement : statement.text
    const [row] = await db.query<{ 'QUERY PLAN': Array<{ Plan: PlanNode; 'Execution Time': number }> }>(
      `explain (analyze, format json) ${text}`,
      values,
    )
    const [root] = row?.['QUERY PLAN'] ?? []
    if (root !== undefined) explained.push({ plan: root.Plan, ms: root['Execution Time'] })
    return await db.query<Row>(statement, values)
  }
  await run({
    ...ctx,
    db: { query, transaction: async () => await Promise.reject(new Error('lists open no transaction')) },
  })
  return explained
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

const large = /^(event|delivery|attempt)(_\d+)?$|^(waiting|audit_entry)$/

const since = (): string => new Date(Date.now() - 3 * dayMs).toISOString()
const until = (): string => new Date(Date.now() - 1 * dayMs).toISOString()
const limit = 50
const events = (input: object) => async (spied: VerbContext) =>
  await listEvents(spied, accountId, { limit, ...input })
const deliveries = (input: object) => async (spied: VerbContext) =>
  await listDeliveries(spied, accountId, webhookId, { limit, after_sequence: undefined, ...input })

const audit = (input: object) => async (spied: VerbContext) =>
  await listAuditLog(spied, accountId, { limit, ...input } as AuditQuery)

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
  ['GET /v1/events/{id}', async spied => await getEvent(spied, accountId, someEvent)],
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
  ['GET /v1/deliveries/{id}', async spied => await getDelivery(spied, accountId, someDelivery)],
  ['GET /v1/webhooks', async spied => await listWebhooks(spied, accountId, { limit })],
  [
    'GET /v1/webhooks/{id}/signing-keys',
    async spied => await listSigningKeys(spied, accountId, webhookId, { limit }),
  ],
  ['GET /v1/webhooks/{id}/replays', async spied => await listReplays(spied, accountId, webhookId, { limit })],
  ['GET /v1/replays', async spied => await listAllReplays(spied, accountId, { limit, webhookId: null })],
  [
    'GET /v1/replays?webhook_id=',
    async spied => await listAllReplays(spied, accountId, { limit, webhookId }),
  ],
  ['GET /v1/replays/{id}, of 50,000 deliveries', async spied => await getReplay(spied, accountId, replayId)],
  ['GET /v1/accounts/{id}/api-keys', async spied => await listApiKeys(spied, accountId, { limit })],
]

test('every list and every look-up among a million rows stays on an index, however few rows a filter finds', async () => {
  const document: string[] = []
  for (const [name, run] of routes) {
    for (const { plan, ms } of await explain(run)) {
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
      // what is read and thrown away shows here: an index that is walked from end to end helps nobody
      expect.soft(ms, name).toBeLessThan(1_000)
      const used = [...new Set(nodes.map(describeNode).filter(text => text !== null))]
      if (nodes.some(node => large.test(node['Relation Name'] ?? ''))) {
        document.push(`| \`${name}\` | ${used.join('; ')} | ${ms.toFixed(1)} |`)
      }
    }
  }
  if (process.env['WRITE_QUERY_PLANS'] === '1') await writeFile(plansFile, documentOf(document))
})

const plansFile = new URL('../../../../docs/queries.md', import.meta.url)

/** Partitions of a table are one: their names differ by the day. */
function describeNode(node: PlanNode): string | null {
  const relation = node['Relation Name']?.replace(/_\d+$/, '')
  const index = node['Index Name']?.replace(/_\d{8}/, '')
  if (relation === undefined && index === undefined) return null
  return index === undefined ? `${node['Node Type']} on ${relation}` : `${node['Node Type']} of ${index}`
}

function documentOf(lines: readonly string[]): string {
  return `# How lists find their rows

Written by \`packages/server/test/operations/query-plans.test.ts\` (run it with \`WRITE_QUERY_PLANS=1\`). It stores a million
events, deliveries, attempts and audit entries of one account and one endpoint in PostgreSQL, spread over all partitions: 98 % are
\`email.delivered\`, 0.05 % were given up, 0.12 % still wait. Then it calls the verbs, explains the very statements that
they send, and fails when one of them reads a partition or the queue whole.

Ids are UUIDv7, so the primary key (account, id) is the order of time and a range of time is a range of ids, which also
leaves out the days that cannot match. Deliveries are listed along (account, endpoint, sequence). What is rare in a long
history has a place of its own: what was given up, and types other than \`email.delivered\`, stand in partial indexes;
what is pending or failed stands in \`waiting\`; emails and recipients are found by a digest in a GIN index.

Milliseconds are those of one run on a busy machine with two cores, and count the execution alone.

| Request | Plan | ms |
|---|---|---|
${lines.join('\n')}
`
}
