import { belowId, fromId } from '../domain/id-bounds.ts'
import { greatestUuid, leastUuid } from '../domain/uuid-bounds.ts'
import { filtersSql } from './delivery-filters.ts'

/** In which order deliveries are walked along: of one endpoint by sequence, or of the whole account by id. */
export interface WalkOrder {
  by: 'sequence' | 'id'
  upwards: boolean
  /** Whether there is a range of ids. */
  dated: boolean
}

/** Where rows are found: in the history under a condition that an index of it answers, or in the queue. */
export type DeliverySource = { in: 'history'; condition: string } | { in: 'queue' }

/*
 * Parameters: $1 account, $2 endpoint or null, $3 position before the first row or null, $4 and $5 the range of ids;
 * of a page also $6 how far to look or null, $7 how many rows, $8 to $10 the filters.
 */

/**
 * What is an endpoint's is looked up by its id alone: whose the endpoint is says its own row. Beside the account's id the
 * planner might go through all that waits for the account, and would read each delivery only to see whose it is.
 */
export const ofOwnEndpoint =
  'endpoint_id = $2 and exists (select from endpoint where account_id = $1 and id = $2)'

/** One page of a source, as rows of `delivery_now`. */
export function pageSql(source: DeliverySource, order: WalkOrder): string {
  const { position, direction, notBeyond } = wordsOf(source, order)
  const looked = `${rowsSql(source, order, 'delivery_now')} and ${position} ${notBeyond} coalesce($6, ${lastOf(order)})`
  if (source.in === 'history') {
    return `(select p.* ${looked} and ${filtersSql(8)} order by ${position} ${direction} limit $7)`
  }
  // order and limit keep the planner from reading whole days for a few rows: each is looked up by its primary key
  return `(
      select p.* from (select w.delivery_id, w.sequence ${looked} order by ${position} ${direction}) w
      cross join lateral (
        select d.* from delivery_now d
        where d.account_id = $1 and d.id >= w.delivery_id and d.id <= w.delivery_id order by d.id limit 1
      ) p
      where ${filtersSql(8)}
      order by ${position} ${direction}
      limit $7
    )`
}

/** The position of the last of so many rows of a source; no row when there are fewer. */
export function endSql(source: DeliverySource, order: WalkOrder, rows: number): string {
  const { position, direction } = wordsOf(source, order)
  return `(select ${position} as position ${rowsSql(source, order, 'delivery')}
      order by ${position} ${direction} offset ${rows - 1} limit 1)`
}

function rowsSql(source: DeliverySource, order: WalkOrder, history: 'delivery_now' | 'delivery'): string {
  const { whose, id, position, beyond } = wordsOf(source, order)
  const table = source.in === 'history' ? `${history} p` : 'unfinished w'
  return `from ${table} where ${whose}
        and ${position} ${beyond} coalesce($3, ${firstOf(order)})
        and ${datesSql(order, id)}
        ${source.in === 'history' ? source.condition : ''}`
}

/** The range of ids. In the order of sequences it is asked for only where there is one: their index does not know ids. */
function datesSql({ by, dated }: WalkOrder, id: string): string {
  if (by === 'id') return `${fromId(id, '$4')} and ${belowId(id, '$5')}`
  if (dated) return `($4::uuid is null or ${id} >= $4) and ($5::uuid is null or ${id} < $5)`
  return '$4::uuid is null and $5::uuid is null'
}

function wordsOf(source: DeliverySource, { by, upwards }: WalkOrder) {
  const way = upwards
    ? { direction: 'asc', beyond: '>', notBeyond: '<=' }
    : { direction: 'desc', beyond: '<', notBeyond: '>=' }
  const all = '$2::uuid is null and'
  if (source.in === 'history') {
    const whose = by === 'id' ? `${all} p.account_id = $1` : ofOwnEndpoint
    return { ...way, whose, id: 'p.id', position: `p.${by}` }
  }
  const queue = { ...way, id: 'w.delivery_id' }
  if (by === 'id') return { ...queue, whose: `${all} w.account_id = $1`, position: 'w.delivery_id' }
  return { ...queue, whose: ofOwnEndpoint, position: 'w.sequence' }
}

/** Before the first position of all, and behind the last: bounds that an index takes where none is asked for. */
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
