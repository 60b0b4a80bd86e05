import type { EventType, Replay, ReplayState } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { drainSeconds } from '../domain/drain-seconds.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'
import { countQueued } from './count-queued.ts'

export interface ReplayRow {
  id: string
  endpoint_id: string
  state: Replay['state']
  from_id: string
  to_id: string
  states: ReplayState[]
  types: EventType[]
  total: number
  done: number
  delivered: number | null
  failed: number | null
  pending: number | null
  /** How many deliveries this replay and older replays of the endpoint, which run first, have left to queue. */
  rest: number
  endpoint_enabled: boolean
  rate_limit_per_second: number | null
  finished_at: Date | null
}

/** Replays with the results of their deliveries and the work that is left. */
export const tracedReplays = `replay r
  join endpoint e on e.account_id = r.account_id and e.id = r.endpoint_id
  cross join lateral (
    select coalesce(sum(greatest(0, total - done)), 0)::bigint as rest from replay older
    where r.state = 'running' and older.account_id = r.account_id and older.endpoint_id = r.endpoint_id
      and older.id <= r.id and older.state = 'running'
  ) ahead
  cross join lateral (${countQueued}) queued`

/** Columns of `tracedReplays`. */
export const replayColumns = `r.id, r.endpoint_id, r.state, r.from_id, r.to_id, r.states, r.types::text[] as types,
  r.total, r.done, r.finished_at, queued.*, ahead.rest, e.rate_limit_per_second,
  e.status = 'enabled' and e.deleted_at is null as endpoint_enabled`

/** A replay as the API shows it. */
export function toReplay({ settings }: Pick<Ctx, 'settings'>): (row: ReplayRow) => Replay {
  return row => ({
    id: typeId('rpl', row.id),
    webhook_id: typeId('wh', row.endpoint_id),
    state: row.state,
    total: row.total,
    done: row.done,
    delivered: row.delivered,
    failed_again: row.failed,
    pending: row.pending,
    seconds_left:
      row.state === 'running' && row.endpoint_enabled
        ? drainSeconds(row.rest, settings.drainPerSecond, row.rate_limit_per_second)
        : null,
    since: timeOf(row.from_id),
    until: timeOf(row.to_id),
    states: row.states,
    types: row.types,
    created_at: timeOf(row.id),
    finished_at: row.finished_at?.toISOString() ?? null,
  })
}

/** Reads one replay of the account. */
export async function readReplay(
  ctx: Pick<Ctx, 'db' | 'settings'>,
  accountId: string,
  replayId: string,
): Promise<Replay> {
  const [row] = await ctx.db.query<ReplayRow>(
    `select ${replayColumns} from ${tracedReplays} where r.account_id = $1 and r.id = $2`,
    [accountId, replayId],
  )
  if (row === undefined) throw new AppError('not_found', 'This replay does not exist.')
  return toReplay(ctx)(row)
}

function timeOf(uuid: string): string {
  return new Date(uuidV7Ms(uuid)).toISOString()
}
