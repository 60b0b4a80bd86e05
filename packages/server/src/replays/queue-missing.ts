import type { Queryable } from '../db/database.ts'
import { leastUuid } from '../db/id-bounds.ts'
import { isMissing } from './replayable.ts'
import type { RunningReplay } from './take-replay.ts'

/**
 * Creates deliveries for the next events without one, with the next sequence numbers of the endpoint. It locks the
 * endpoint's row first, as accept does, so that the numbers have no gaps or duplicates.
 */
export async function queueMissing(
  tx: Queryable,
  replay: RunningReplay,
  most: number,
): Promise<{ seen: number; lastEventId: string }> {
  const lastEventId = replay.lastEventId ?? leastUuid
  await tx.query('select from endpoint where account_id = $1 and id = $2 for no key update', [
    replay.accountId,
    replay.endpointId,
  ])
  const rows = await tx.query<{ event_id: string }>(
    // locks the events, so that an erasure waits for their new deliveries; reads the primary key from the end of the
    // last batch
    `with missing as materialized (
       select v.account_id, v.id, v.type from event v
       where v.account_id = $1 and v.id > $3 and v.id >= $4 and v.id < $5 and v.type = any($6::event_type[])
         and ${isMissing}
       order by v.id
       limit $7
       for key share of v
     ),
     numbered as (
       update endpoint set last_sequence = last_sequence + (select count(*) from missing)
       where account_id = $1 and id = $2
       returning last_sequence - (select count(*) from missing) as before
     ),
     made as (
       insert into delivery (account_id, id, endpoint_id, event_id, type, sequence)
       select m.account_id, (substr(m.id::text, 1, 13) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
         $2, m.id, m.type, n.before + row_number() over (order by m.id)
       from missing m cross join numbered n
       returning *
     ),
     queued as (
       insert into queue (account_id, delivery_id, endpoint_id, event_id, due_at, sequence, trigger)
       select account_id, id, endpoint_id, event_id, now(), sequence, 'replay' from made
     ),
     traced as (
       insert into replay_delivery (account_id, replay_id, delivery_id) select account_id, $8, id from made
     )
     select event_id from made order by event_id`,
    [
      replay.accountId,
      replay.endpointId,
      lastEventId,
      replay.fromId,
      replay.toId,
      replay.types,
      most,
      replay.id,
    ],
  )
  return { seen: rows.length, lastEventId: rows.at(-1)?.event_id ?? lastEventId }
}
