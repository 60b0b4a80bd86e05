import type { Queryable } from '../db/database.ts'
import { isReplayable } from './replayable.ts'
import type { RunningReplay } from './take-replay.ts'

export interface QueuedAgain {
  /** Deliveries that the replay has processed, queued or not. */
  seen: number
  queued: number
  lastSequence?: number
}

/**
 * Makes the next deliveries of a replay due. It skips deliveries that have an attempt in flight or were just erased. It
 * locks event, queue and delivery in this order, as all code does.
 */
export async function queueAgain(tx: Queryable, replay: RunningReplay, most: number): Promise<QueuedAgain> {
  const states = replay.states.filter(state => state !== 'missing')
  const candidates = await tx.query<{ id: string; event_id: string; sequence: number }>(
    // by the index (endpoint, sequence), from the end of the last batch
    `select d.id, d.event_id, d.sequence from delivery d
     where d.account_id = $1 and d.endpoint_id = $2 and d.sequence > $3 and d.id >= $4 and d.id < $5
       and d.state = any($6::delivery_state[]) and d.type = any($7::event_type[]) and ${isReplayable}
     order by d.sequence
     limit $8`,
    [
      replay.accountId,
      replay.endpointId,
      replay.lastSequence,
      replay.fromId,
      replay.toId,
      states,
      replay.types,
      most,
    ],
  )
  const last = candidates.at(-1)
  if (last === undefined) return { seen: 0, queued: 0 }
  const kept = await lockKeptEvents(
    tx,
    replay.accountId,
    candidates.map(one => one.event_id),
  )
  const ids = candidates.filter(one => kept.has(one.event_id)).map(one => one.id)
  const queued = await makeDue(tx, replay, ids, states)
  return { seen: candidates.length, queued, lastSequence: last.sequence }
}

/** The lock makes a concurrent erasure wait for this transaction, so that it finds the queued deliveries. */
async function lockKeptEvents(
  tx: Queryable,
  accountId: string,
  eventIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(
    `select v.id from event v where v.account_id = $1 and v.id = any($2::uuid[]) and v.erased_at is null
     order by v.id
     for key share of v`,
    [accountId, eventIds],
  )
  return new Set(rows.map(row => row.id))
}

/**
 * Increments the claim, so that late failures of older attempts do not count. A delivery that was never acknowledged gets
 * all its retries again. An acknowledged one returns to `delivered` if the attempt fails.
 */
async function makeDue(
  tx: Queryable,
  { accountId, id: replayId }: RunningReplay,
  ids: readonly string[],
  states: readonly string[],
): Promise<number> {
  const unheld = await tx.query<{ delivery_id: string }>(
    `select delivery_id from queue where account_id = $1 and delivery_id = any($2::uuid[]) and process is null
     order by delivery_id
     for update`,
    [accountId, ids],
  )
  const rows = await tx.query(
    `with before as materialized (
       select account_id, id from delivery
       where account_id = $1 and id = any($2::uuid[]) and state = any($3::delivery_state[])
         -- an unfinished delivery that is not in the list is claimed by a process
         and (state in ('delivered', 'exhausted') or id = any($5::uuid[]))
       order by id
       for update
     ),
     moved as (
       update delivery d set state = 'pending', reason = null, retries_used = 0
       from before where d.account_id = before.account_id and d.id = before.id
       returning d.*
     ),
     queued as (
       insert into queue as q (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, claim, attempt_count,
                               trigger, was_delivered)
       select account_id, id, endpoint_id, event_id, now(), sequence, claim + 1, attempt_count, 'replay',
              delivered_at is not null
       from moved
       on conflict (account_id, delivery_id) do update
       set due_at = now(), lost_claims = 0, claim = q.claim + 1, retries_used = 0, trigger = 'replay'
       returning account_id, delivery_id
     )
     insert into replay_delivery (account_id, replay_id, delivery_id)
     select account_id, $4, delivery_id from queued
     returning 1 as one`,
    [accountId, ids, states, replayId, unheld.map(row => row.delivery_id)],
  )
  return rows.length
}
