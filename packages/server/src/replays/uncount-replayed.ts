import type { Queryable } from '../db/database.ts'
import { firstUuidV7At, uuidV7Ms } from '../domain/uuid-v7.ts'
import type { ReplayScope } from './count-replay.ts'

/**
 * Nobody needs to be reminded of deliveries that a replay sends again: from now on, only the other ones count among those that
 * were given up because of a 410. If another 410 arrives at the same time, the reminder stays as it is.
 */
export async function uncountReplayed(tx: Queryable, scope: ReplayScope): Promise<void> {
  const { accountId, endpointId, fromId, toId, states, types } = scope
  if (!states.includes('exhausted')) return
  const [endpoint] = await tx.query<{ gone_since: Date | null }>(
    'select gone_since from endpoint where account_id = $1 and id = $2',
    [accountId, endpointId],
  )
  const since = endpoint?.gone_since ?? null
  if (since === null) return
  const [left] = await tx.query<{ count: number; first: string | null }>(
    // test events, which have the search key 0, never count
    `select count(*)::int as count, min(d.id::text) as first from delivery d
     join event v on v.account_id = d.account_id and v.id = d.event_id and not 0 = any(v.search_keys)
     where d.account_id = $1 and d.endpoint_id = $2 and d.state = 'exhausted' and d.reason = 'endpoint_gone' and d.id >= $3
       and not (d.id >= $4 and d.id < $5 and d.type = any($6::event_type[]))`,
    [accountId, endpointId, firstUuidV7At(since.getTime()), fromId, toId, types],
  )
  const first = left?.first ?? null
  await tx.query(
    `update endpoint set gone_deliveries = least(gone_deliveries, $3), gone_since = $4
     where account_id = $1 and id = $2 and gone_since = $5`,
    [accountId, endpointId, left?.count ?? 0, first === null ? null : new Date(uuidV7Ms(first)), since],
  )
}
