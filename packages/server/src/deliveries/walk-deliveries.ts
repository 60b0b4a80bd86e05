import type { Ctx } from '../context.ts'
import type { Lookups } from '../db/database.ts'
import { idRange } from '../domain/time-range.ts'
import {
  areRare,
  type DeliveryFilters,
  filterValues,
  hasFilters,
  isDated,
  lookedThroughMax,
  statesOf,
} from './delivery-filters.ts'
import { type DeliverySource, endSql, isOwnEndpoint, pageSql, type WalkOrder } from './delivery-sources.ts'
import { type DeliveryRow, selectDeliveries } from './row.ts'

/** Whose deliveries, and from where on: those of one endpoint by sequence, or all of the account's by id. */
export interface Walk {
  accountId: string
  endpointId: string | null
  /** The sequence or the id of the row before the first; null for the beginning. */
  from: string | number | null
  upwards: boolean
}

/** A page's rows and one too many, or fewer of them and how far was looked. */
export interface FoundDeliveries {
  rows: DeliveryRow[]
  /** The position after which nothing was looked at; null when everything was. */
  lookedTo: string | number | null
}

/**
 * Walks along an index to the deliveries that pass the filters. What is rare in a long history is not searched for in
 * it: what was given up stands in a partial index, what is still to be sent in `queue`, and of one endpoint types
 * other than email.delivered in a partial index as well.
 */
export async function walkDeliveries(
  ctx: Pick<Ctx, 'db' | 'history'>,
  walk: Walk,
  filters: DeliveryFilters,
): Promise<FoundDeliveries> {
  const order: WalkOrder = {
    by: walk.endpointId === null ? 'id' : 'sequence',
    upwards: walk.upwards,
    dated: isDated(filters),
  }
  // of an endpoint, only a plan for these days leaves out the others
  const db = order.by === 'sequence' && order.dated ? ctx.db : ctx.history
  const direction = walk.upwards ? 'asc' : 'desc'
  const sources = await chooseSources(db, walk, filters)
  const { from, to } = idRange(filters)
  const values = [walk.accountId, walk.endpointId, walk.from, from, to]
  const lookedTo = hasFilters(filters) ? await lookAhead(db, sources, order, values) : null
  const pages = sources.map(source => pageSql(source, order)).join(' union all ')
  const rows = await db.query<DeliveryRow>(
    // the page is cut out first, and only beside its rows is anything looked up
    `${selectDeliveries(`(select * from (${pages}) p order by p.${order.by} ${direction} limit $7)`)}
     order by d.${order.by} ${direction}`,
    [...values, lookedTo, filters.limit + 1, ...filterValues(filters)],
  )
  return { rows, lookedTo }
}

async function chooseSources(db: Lookups, walk: Walk, filters: DeliveryFilters): Promise<DeliverySource[]> {
  const states = statesOf(filters)
  const isRare = walk.endpointId !== null && areRare(filters.type)
  const history: DeliverySource = {
    in: 'history',
    condition: isRare ? `and p.type <> 'email.delivered'` : '',
  }
  if (states.includes('delivered')) return [history]
  const sources: DeliverySource[] = []
  if (states.includes('pending') || states.includes('failed')) {
    if (!(await hasShortQueue(db, walk))) return [history]
    sources.push({ in: 'queue' })
  }
  if (states.includes('exhausted')) sources.push({ in: 'history', condition: 'and p.reason is not null' })
  return sources
}

/**
 * Whether the queue of an endpoint is short enough to be sorted by sequence; where it is not, the history is full
 * of it. What waits for the account is walked along its primary key, however much it is.
 */
async function hasShortQueue(db: Lookups, { accountId, endpointId }: Walk): Promise<boolean> {
  if (endpointId === null) return true
  const [oneMore] = await db.query<{ sequence: number }>(
    // in the order of queue_due, or the planner may read the table from its beginning
    `select sequence from queue where endpoint_id = $2 and process is null and ${isOwnEndpoint}
     order by due_at offset $3 limit 1`,
    [accountId, endpointId, lookedThroughMax],
  )
  return oneMore === undefined
}

/** How far the page may look; null when everything is within reach. Of several sources the first end is that of all. */
async function lookAhead(
  db: Lookups,
  sources: readonly DeliverySource[],
  order: WalkOrder,
  values: readonly unknown[],
): Promise<string | number | null> {
  const ends = sources.map(source => endSql(source, order, lookedThroughMax)).join(' union all ')
  const [end] = await db.query<{ position: string | number }>(
    `select position from (${ends}) e order by position ${order.upwards ? 'asc' : 'desc'} limit 1`,
    values,
  )
  return end?.position ?? null
}
