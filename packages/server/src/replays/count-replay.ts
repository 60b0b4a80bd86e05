import type { EventType, ReplayState } from '@posthorn/contract'
import type { Queryable } from '../db/database.ts'
import { isMissing, isReplayable } from './replayable.ts'

/** Which deliveries and events a replay covers. */
export interface ReplayScope {
  accountId: string
  endpointId: string
  /** Inclusive. */
  fromId: string
  /** Exclusive. */
  toId: string
  states: readonly ReplayState[]
  types: readonly EventType[]
}

export interface ReplayCount {
  count: number
  /** The ids of the first and last delivery in time, or of the event if it has no delivery. */
  firstId: string | null
  lastId: string | null
}

/** Counts the deliveries that a replay would send again or create. */
export async function countReplay(db: Queryable, scope: ReplayScope): Promise<ReplayCount> {
  const { accountId, endpointId, fromId, toId, states, types } = scope
  const existing = states.filter(state => state !== 'missing')
  const [row] = await db.query<{ count: number; first: string | null; last: string | null }>(
    // ids start with their time, and sort in the same order as text
    `select coalesce(sum(count), 0)::bigint as count, min(first) as first, max(last) as last
     from (
       select count(*) as count, min(d.id::text) as first, max(d.id::text) as last from delivery d
       where d.account_id = $1 and d.endpoint_id = $2 and d.id >= $3 and d.id < $4
         and d.state = any($5::delivery_state[]) and d.type = any($6::event_type[]) and ${isReplayable}
       union all
       select count(*), min(v.id::text), max(v.id::text) from event v
       where $7::boolean and v.account_id = $1 and v.id >= $3 and v.id < $4
         and v.type = any($6::event_type[]) and ${isMissing}
     ) counts`,
    [accountId, endpointId, fromId, toId, existing, types, states.includes('missing')],
  )
  return { count: row?.count ?? 0, firstId: row?.first ?? null, lastId: row?.last ?? null }
}
