import type { Ctx } from '../context.ts'
import { lookedThroughMax } from '../deliveries/delivery-filters.ts'
import { endpointQueue } from '../deliveries/endpoint-queue.ts'
import { belowId, fromId, upToId } from '../db/id-bounds.ts'
import { firstUuidV7At } from '../domain/uuid-v7.ts'
import { delivered, givenUp } from '../stats/attempt-counts.ts'
import { healthColumns, type HealthRow } from './row.ts'

/** The facts in the database about the health of one endpoint. */
export interface EndpointFacts extends HealthRow {
  waiting: number
  oldest_waiting_id: string | null
  oldest_waiting_event_id: string | null
  last_due_at: Date | null
  last_attempt_at: Date | null
  last_success_at: Date | null
  last_failure_at: Date | null
}

/** Which endpoints of the account: one, or those created before another, newest first. */
export type HealthSelection = { id: string } | { beforeId: string | null; rowsMax: number }

const dayMs = 86_400_000

/** Reads the facts of the selected endpoints in one statement, without deleted ones. */
export async function readHealth(
  { history, clock }: Pick<Ctx, 'history' | 'clock'>,
  accountId: string,
  selection: HealthSelection,
): Promise<EndpointFacts[]> {
  const { id, beforeId, rowsMax } =
    'id' in selection ? { ...selection, beforeId: null, rowsMax: 1 } : { ...selection, id: null }
  return await history.query<EndpointFacts>(
    `select ${healthColumns}, q.waiting, q.last_due_at, o.delivery_id as oldest_waiting_id,
       o.event_id as oldest_waiting_event_id,
       greatest(recent.attempt_at, ${latest('result <> $5')}) as last_attempt_at,
       greatest(recent.success_at, ${latest('result = $6')}) as last_success_at,
       ${latest('result not in ($5, $6)')} as last_failure_at
     from (
       select * from endpoint
       where account_id = $1 and kind = 'events' and deleted_at is null
         and ${fromId('id', '$2')} and ${upToId('id', '$2')}
         and ${belowId('id', '$3')}
       order by id desc limit $4
     ) e
     cross join lateral (
       select count(*) as waiting, max(due_at) filter (where process is null and due_at > now()) as last_due_at
       from ${endpointQueue('e.id')} q
     ) q
     -- the limit forces a lookup by primary key
     left join lateral (
       select delivery_id, event_id from queue
       where account_id = e.account_id and delivery_id = ${oldestWaiting} limit 1
     ) o on true
     -- statistics are some seconds old, so the latest attempts come from the newest deliveries
     cross join lateral (
       select max(d.last_attempt_at) as attempt_at, max(d.delivered_at) as success_at
       from (
         select last_attempt_at, delivered_at from delivery
         where account_id = e.account_id and endpoint_id = e.id and id >= $7
         order by sequence desc limit 10
       ) d
     ) recent
     order by e.id desc`,
    [accountId, id, beforeId, rowsMax, givenUp, delivered, firstUuidV7At(clock.nowMs() - dayMs)],
  )
}

const oldestOfAll = `(select min(q.delivery_id::text)::uuid from ${endpointQueue('e.id')} q)`

/**
 * The oldest waiting delivery of the endpoint. In a long queue, it is probably among the oldest of the account, which an
 * index finds quickly; no index has the endpoint's queue in this order. Ids start with their time, and sort like text.
 */
const oldestWaiting = `case
  when q.waiting > ${lookedThroughMax} then coalesce(
    (select first.delivery_id from (
       select delivery_id, endpoint_id from queue where account_id = e.account_id
       order by delivery_id limit ${lookedThroughMax}
     ) first where first.endpoint_id = e.id order by first.delivery_id limit 1),
    ${oldestOfAll})
  else ${oldestOfAll} end`

/** Reads attempt_stat_endpoint backwards to the newest matching interval, which may have several rows. */
function latest(condition: string): string {
  const rows = `from attempt_stat where account_id = e.account_id and endpoint_id = e.id and ${condition}`
  return `(select max(last_at) ${rows} and at >= (select at ${rows} order by at desc limit 1))`
}
