import { plainColumns } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import type { HandoverKey } from './claim.ts'

/** Renews leases, because a large email over a slow connection takes longer than a lease. */
export async function renewLeases(
  db: Queryable,
  held: readonly HandoverKey[],
  leaseMs: number,
): Promise<void> {
  await db.query(
    `update handover h set due_at = now() + make_interval(secs => $5::float8 / 1000) ${ofHeld}`,
    [...keysOf(held), leaseMs],
  )
}

/** Releases what was claimed and not offered. */
export async function releaseHandovers(db: Queryable, held: readonly HandoverKey[]): Promise<void> {
  await db.query(`update handover h set due_at = now(), taken_by = null ${ofHeld}`, keysOf(held))
}

const ofHeld = `from unnest($1::uuid[], $2::uuid[], $3::smallint[], $4::int[]) as i (account_id, email_id, number, claim)
     where h.account_id = i.account_id and h.email_id = i.email_id and h.number = i.number and h.claim = i.claim`

function keysOf(held: readonly HandoverKey[]): string[] {
  return plainColumns(held, 'accountId', 'emailId', 'number', 'claim')
}
