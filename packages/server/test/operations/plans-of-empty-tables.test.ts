import { expect, test } from 'vitest'
import { findDeliveriesOfEvents } from '../../src/deliveries/find-deliveries-of-events.ts'
import { getDelivery } from '../../src/deliveries/get-delivery.ts'
import { walkDeliveries } from '../../src/deliveries/walk-deliveries.ts'
import { getEmail } from '../../src/emails/get-email.ts'
import { listEmails } from '../../src/emails/list-emails.ts'
import { getEvent } from '../../src/events/get-event.ts'
import { listEvents } from '../../src/events/list-events.ts'
import { readHealth } from '../../src/health/read-health.ts'
import { newId } from '../../src/new-id.ts'
import { readRecentProof } from '../../src/signing-keys/read-recent-proof.ts'
import { newestServer, openTestDatabase } from '../support/test-database.ts'
import { refusal, verbContext, type VerbContext } from '../verbs/verb-context.ts'
import { explain, nodesOf, type PlanNode } from './explain.ts'

/** The distinct columns in the condition of an index scan. */
function columnsOf(node: PlanNode): string[] {
  const compared = node['Index Cond']?.matchAll(/\((?:\w+\.)?(\w+) (?:=|<|>)/g) ?? []
  return [...new Set([...compared].map(([, column = '']) => column))]
}

const days = /^(event|delivery|attempt|email|email_recipient)_\d+$/

// The plans of history queries are made once. A plan from before midnight is used with all rows of the new day until the day is
// analyzed, and a plan from before a backlog with the whole backlog. For an empty table, all indexes cost the same except for
// their former size.
test.each(['queue_due', 'queue_pkey'])(
  'queries on empty history are planned by their keys when %s is the smaller index of the queue',
  async smaller => {
    await using db = await openTestDatabase(newestServer())
    const ctx = verbContext(db)
    await db.query(
      `insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now(), n from generate_series(1, 20000) n`,
    )
    await db.query('vacuum analyze')
    await db.query('delete from queue')
    await db.query('vacuum analyze')
    await db.query(`reindex index ${smaller}`)
    const id = newId(ctx)
    const limit = 20
    const walks = [null, id].flatMap(endpointId =>
      [
        {},
        { state: ['delivered' as const] },
        { state: ['pending' as const, 'failed' as const] },
        { state: ['exhausted' as const] },
        { type: ['email.bounced' as const] },
        { error_code: ['tls_expired' as const] },
      ].map(
        filters => async (spied: VerbContext) =>
          await walkDeliveries(
            spied,
            { accountId: id, endpointId, from: null, upwards: false },
            { limit, ...filters },
          ),
      ),
    )
    const ofEvents = { accountId: id, endpointId: null, searchKeys: null, from: null }
    const looks = [
      ...walks,
      async (spied: VerbContext) =>
        await findDeliveriesOfEvents(spied, { ...ofEvents, eventId: id }, { limit }),
      async (spied: VerbContext) =>
        await findDeliveriesOfEvents(
          spied,
          { ...ofEvents, eventId: null },
          { limit, type: ['email.failed'] },
        ),
      async (spied: VerbContext) => await listEvents(spied, id, { limit }),
      async (spied: VerbContext) => await listEvents(spied, id, { limit, type: ['email.failed'] }),
      async (spied: VerbContext) => await readHealth(spied, id, { id }),
      async (spied: VerbContext) => await readHealth(spied, id, { beforeId: null, rowsMax: limit }),
      async (spied: VerbContext) => await listEmails(spied, id, { limit }),
      async (spied: VerbContext) => await refusal(getEmail(spied, id, id)),
      async (spied: VerbContext) => await readRecentProof(spied.history, id, id),
      async (spied: VerbContext) => await refusal(getEvent(spied, id, id)),
      async (spied: VerbContext) => await refusal(getDelivery(spied, id, id)),
    ]
    const nodes: PlanNode[] = []
    for (const look of looks) {
      for (const { plan } of await explain(ctx, look)) nodes.push(...nodesOf(plan))
    }
    const table = (node: PlanNode): string => node['Relation Name'] ?? ''
    const ofDays = nodes.filter(node => days.test(table(node)))
    expect(new Set(ofDays.map(node => table(node).replace(/_\d+$/, '')))).toEqual(
      new Set(['event', 'delivery', 'attempt', 'email', 'email_recipient']),
    )
    // the account alone would match everything that it was ever sent
    for (const node of ofDays) {
      const narrower = columnsOf(node).filter(column => column !== 'account_id')
      expect.soft(narrower, describe(node)).not.toEqual([])
    }
    const queued = nodes.filter(node => table(node) === 'queue')
    for (const node of queued.filter(one => one['Index Name'] !== undefined)) {
      expect.soft(columnsOf(node), describe(node)).not.toEqual([])
    }
  },
)

function describe(node: PlanNode): string {
  return `${node['Node Type']} of ${node['Index Name'] ?? node['Relation Name'] ?? ''} where ${node['Index Cond'] ?? 'anything'}`
}
