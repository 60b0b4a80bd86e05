import { plainArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { Settlement } from './settle.ts'

/**
 * Of results that were to be written when a statement failed or its answer was lost, those that were not: of the two
 * statements of a settlement the first may have written its own. A result is written with its attempt or not at all. One without an attempt does nothing the second time and is kept.
 */
export async function unwritten(db: Queryable, settlements: readonly Settlement[]): Promise<Settlement[]> {
  const attempts = settlements.flatMap(({ taken, attempt }) =>
    attempt === null ? [] : [{ taken, ...attempt }],
  )
  const rows = await db.query<{ id: string }>(
    // one descent of the primary key each, within the partition of the delivery's day
    `select r.id
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r (account_id, delivery_id, id)
     cross join lateral (
       select from attempt a
       where a.account_id = r.account_id and a.delivery_id = r.delivery_id and a.id = r.id
       limit 1
     ) a`,
    [
      plainArray(attempts.map(({ taken }) => taken.accountId)),
      plainArray(attempts.map(({ taken }) => taken.deliveryId)),
      plainArray(attempts.map(({ id }) => id)),
    ],
  )
  const written = new Set(rows.map(row => row.id))
  return settlements.filter(({ attempt }) => attempt === null || !written.has(attempt.id))
}
