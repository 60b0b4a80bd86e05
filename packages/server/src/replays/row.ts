import type { EventType, Replay, ReplayState } from '@posthorn/contract'
import type { Ctx } from '../context.ts'
import { typeId } from '../domain/type-id.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'
import { AppError } from '../errors.ts'

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
  finished_at: Date | null
}

/** Of `replay r`. */
export const replayColumns =
  'r.id, r.endpoint_id, r.state, r.from_id, r.to_id, r.states, r.types::text[] as types, r.total, r.done, r.finished_at'

/** A replay as the endpoint's owner sees it. */
export function toReplay(row: ReplayRow): Replay {
  return {
    id: typeId('rpl', row.id),
    webhook_id: typeId('wh', row.endpoint_id),
    state: row.state,
    total: row.total,
    done: row.done,
    since: timeOf(row.from_id),
    until: timeOf(row.to_id),
    states: row.states,
    types: row.types,
    created_at: timeOf(row.id),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}

export async function readReplay(
  ctx: Pick<Ctx, 'db'>,
  accountId: string,
  replayId: string,
): Promise<ReplayRow> {
  const [row] = await ctx.db.query<ReplayRow>(
    `select ${replayColumns} from replay r where r.account_id = $1 and r.id = $2`,
    [accountId, replayId],
  )
  if (row === undefined) throw new AppError('not_found', 'There is no such replay.')
  return row
}

function timeOf(uuid: string): string {
  return new Date(uuidV7Ms(uuid)).toISOString()
}
