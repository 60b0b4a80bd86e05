import { belowId, fromId, greatestUuid, leastUuid } from '../db/id-bounds.ts'
import { filtersSql } from './delivery-filters.ts'
import { endpointQueue } from './endpoint-queue.ts'

/** The order of a list: by sequence for one endpoint, or by id for the whole account. */
export interface WalkOrder {
  by: 'sequence' | 'id'
  upwards: boolean
  /** Whether there is a range of ids. */
  dated: boolean
}

/** Where to find rows: in the history, with a condition that has an index, or in the queue. */
export type DeliverySource = { in: 'history'; condition: string } | { in: 'queue' }

/*
 * Parameters: $1 account, $2 endpoint or null, $3 position before the first row or null, $4 and $5 the range of ids.
 * A page also has $6 the last position to scan or null, $7 the number of rows, $8 to $10 the filters.
 */

/**
 * Checks the account of the endpoint. Queries find the rows of an endpoint only by its id, because with the account's id
 * the planner might read all rows of the account.
 */
export const isOwnEndpoint = 'exists (select from endpoint where account_id = $1 and id = $2)'

/** One page of a source, as rows of `delivery`. */
export function pageSql(source: DeliverySource, order: WalkOrder): string {
  const { position, direction, notBeyond } = wordsOf(source, order)
  const looked = `${rowsSql(source, order)} and ${position} ${notBeyond} coalesce($6, ${lastOf(order)})`
  if (source.in === 'history') {
    return `(select p.* ${looked} and ${filtersSql(8)} order by ${position} ${direction} limit $7)`
  }
  // order and limit force a lookup by primary key, because the planner might read whole days for a few rows
  return `(
      select p.* from (select q.delivery_id, q.sequence ${looked} order by ${position} ${direction}) q
      cross join lateral (
        select d.* from delivery d
        where d.account_id = $1 and d.id >= q.delivery_id and d.id <= q.delivery_id order by d.id limit 1
      ) p
      where ${filtersSql(8)}
      order by ${position} ${direction}
      limit $7
    )`
}

/** The position of the row with this number in a source; no row if there are fewer. */
export function endSql(source: DeliverySource, order: WalkOrder, rows: number): string {
  const { position, direction } = wordsOf(source, order)
  return `(select ${position} as position ${rowsSql(source, order)}
      order by ${position} ${direction} offset ${rows - 1} limit 1)`
}

function rowsSql(source: DeliverySource, order: WalkOrder): string {
  const { rows, id, position, beyond } = wordsOf(source, order)
  return `from ${rows}
        and ${position} ${beyond} coalesce($3, ${firstOf(order)})
        and ${datesSql(order, id)}
        ${source.in === 'history' ? source.condition : ''}`
}

/** The condition on the range of ids. By sequence, it is left out if possible, because that index has no ids. */
function datesSql({ by, dated }: WalkOrder, id: string): string {
  if (by === 'id') return `${fromId(id, '$4')} and ${belowId(id, '$5')}`
  if (dated) return `($4::uuid is null or ${id} >= $4) and ($5::uuid is null or ${id} < $5)`
  return '$4::uuid is null and $5::uuid is null'
}

function wordsOf(source: DeliverySource, { by, upwards }: WalkOrder) {
  const way = upwards
    ? { direction: 'asc', beyond: '>', notBeyond: '<=' }
    : { direction: 'desc', beyond: '<', notBeyond: '>=' }
  const all = '$2::uuid is null'
  if (source.in === 'history') {
    const whose = by === 'id' ? `p.account_id = $1 and ${all}` : `p.endpoint_id = $2 and ${isOwnEndpoint}`
    return { ...way, rows: `delivery p where ${whose}`, id: 'p.id', position: `p.${by}` }
  }
  const queue = { ...way, id: 'q.delivery_id' }
  if (by === 'id')
    return { ...queue, rows: `queue q where q.account_id = $1 and ${all}`, position: 'q.delivery_id' }
  return { ...queue, rows: `${endpointQueue('$2')} q where ${isOwnEndpoint}`, position: 'q.sequence' }
}

/** A position before the first and one after the last, so that the index always has bounds. */
function firstOf(order: WalkOrder): string {
  return order.upwards ? least(order) : greatest(order)
}

function lastOf(order: WalkOrder): string {
  return order.upwards ? greatest(order) : least(order)
}

function least({ by }: WalkOrder): string {
  return by === 'id' ? `'${leastUuid}'::uuid` : '0::bigint'
}

function greatest({ by }: WalkOrder): string {
  return by === 'id' ? `'${greatestUuid}'::uuid` : '9223372036854775807::bigint'
}
