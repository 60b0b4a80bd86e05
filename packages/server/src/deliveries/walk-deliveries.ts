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

/** The deliveries to scan: those of one endpoint by sequence, or all of the account by id. */
export interface Walk {
  accountId: string
  endpointId: string | null
  /** The sequence or the id of the row before the first; null to start at the beginning. */
  from: string | number | null
  upwards: boolean
}

/** The rows of a page plus one, or fewer rows and the position at which the scan ended. */
export interface FoundDeliveries {
  rows: DeliveryRow[]
  /** The last position of the scan; null if the scan was complete. */
  lookedTo: string | number | null
}

/**
 * Scans an index for the deliveries that pass the filters. It finds rare deliveries without a scan of the whole history:
 * partial indexes hold exhausted deliveries and an endpoint's events other than email.delivered, and `queue` holds
 * unfinished deliveries.
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
  // for one endpoint, only a plan with the actual dates skips the other partitions
  const db = order.by === 'sequence' && order.dated ? ctx.db : ctx.history
  const direction = walk.upwards ? 'asc' : 'desc'
  const sources = await chooseSources(db, walk, filters)
  const { from, to } = idRange(filters)
  const values = [walk.accountId, walk.endpointId, walk.from, from, to]
  const lookedTo = hasFilters(filters) ? await lookAhead(db, sources, order, values) : null
  const pages = sources.map(source => pageSql(source, order)).join(' union all ')
  const rows = await db.query<DeliveryRow>(
    // limits the rows first, so that the lookups run only for the rows of the page
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
 * Whether the queue of an endpoint is short enough to sort by sequence. If not, the history has so many unfinished
 * deliveries that a scan finds them quickly. The queue of an account needs no sorting.
 */
async function hasShortQueue(db: Lookups, { accountId, endpointId }: Walk): Promise<boolean> {
  if (endpointId === null) return true
  const [oneMore] = await db.query<{ sequence: number }>(
    // ordered like queue_due, because otherwise the planner might read the table from its start
    `select sequence from queue where endpoint_id = $2 and process is null and ${isOwnEndpoint}
     order by due_at offset $3 limit 1`,
    [accountId, endpointId, lookedThroughMax],
  )
  return oneMore === undefined
}

/** The last position that the page may scan; null for no limit. With several sources, the closest limit counts. */
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
