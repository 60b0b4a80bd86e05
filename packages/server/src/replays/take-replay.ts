import type { EventType, ReplayState } from '@posthorn/contract'
import type { Queryable } from '../db/database.ts'

/** A replay whose row this transaction has locked, so that no other process works on it. */
export interface RunningReplay {
  accountId: string
  id: string
  endpointId: string
  fromId: string
  toId: string
  states: ReplayState[]
  types: EventType[]
  lastSequence: number
  /** Null while the replay sends existing deliveries again. */
  lastEventId: string | null
  endpointDeleted: boolean
  /** How many it may queue now. */
  allowed: number
}

/**
 * Locks the running replay whose last batch is oldest, if it may queue more; null if there is none. Replays of disabled
 * endpoints wait. Each endpoint runs only its oldest replay, so that the rate applies to the endpoint.
 */
export async function takeReplay(tx: Queryable, perSecond: number): Promise<RunningReplay | null> {
  const [row] = await tx.query<ReplayWorkRow>(
    // the row lock serves as a lease, because it ends with the transaction even if the process dies
    `select r.account_id, r.id, r.endpoint_id, r.from_id, r.to_id, r.states, r.types::text[] as types,
       r.last_sequence, r.last_event_id, e.deleted_at is not null as endpoint_deleted,
       -- after a pause, it does not catch up
       floor(least(extract(epoch from now() - r.paced_at), greatest(2, 1 / $1::float8)) * $1::float8)::int as allowed
     from replay r join endpoint e on e.account_id = r.account_id and e.id = r.endpoint_id
     where r.state = 'running'
       and r.paced_at <= now() - greatest(0.5, 1 / $1::float8) * interval '1 second'
       and (e.status = 'enabled' or e.deleted_at is not null)
       and not exists (
         select from replay older
         where older.account_id = r.account_id and older.endpoint_id = r.endpoint_id and older.id < r.id
           and older.state = 'running'
       )
     order by r.paced_at
     limit 1
     for update of r skip locked`,
    [perSecond],
  )
  if (row === undefined) return null
  return {
    accountId: row.account_id,
    id: row.id,
    endpointId: row.endpoint_id,
    fromId: row.from_id,
    toId: row.to_id,
    states: row.states,
    types: row.types,
    lastSequence: row.last_sequence,
    lastEventId: row.last_event_id,
    endpointDeleted: row.endpoint_deleted,
    allowed: row.allowed,
  }
}

interface ReplayWorkRow {
  account_id: string
  id: string
  endpoint_id: string
  from_id: string
  to_id: string
  states: ReplayState[]
  types: EventType[]
  last_sequence: number
  last_event_id: string | null
  endpoint_deleted: boolean
  allowed: number
}
