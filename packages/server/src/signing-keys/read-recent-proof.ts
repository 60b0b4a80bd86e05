import type { SigningKey } from '@posthorn/contract'
import type { Lookups } from '../db/database.ts'
import { recentAttemptsMax, recentProof, type SignedAttempt } from '../domain/recent-proof.ts'
import type { KeyHistory } from '../domain/signature-part.ts'
import { uuidV7Ms } from '../domain/uuid-v7.ts'

/** How many of the latest deliveries are searched for attempts; retries of older ones are not found. */
const deliveriesMax = 100

/** More than needed, because a new key did not sign every one of the latest attempts. */
const attemptsMax = 3 * recentAttemptsMax

/** Reads the latest attempts to an endpoint. Returns a function that says what they prove about one of its keys. */
export async function readRecentProof(
  db: Lookups,
  accountId: string,
  endpointId: string,
): Promise<(keyId: string) => SigningKey['recent']> {
  const keys = await readHistory(db, accountId, endpointId)
  const attempts = await readAttempts(db, accountId, endpointId)
  return keyId => {
    const key = keys.find(one => one.id === keyId)
    return key === undefined || key.retiredAtMs !== null ? null : recentProof(keys, keyId, attempts)
  }
}

async function readHistory(db: Lookups, accountId: string, endpointId: string): Promise<KeyHistory[]> {
  const rows = await db.query<{
    id: string
    created_at: Date
    promoted_at: Date | null
    retired_at: Date | null
  }>(
    `select id, created_at, promoted_at, retired_at from signing_key
     where account_id = $1 and endpoint_id = $2`,
    [accountId, endpointId],
  )
  return rows.map(row => ({
    id: row.id,
    createdAtMs: row.created_at.getTime(),
    promotedAtMs: row.promoted_at?.getTime() ?? null,
    retiredAtMs: row.retired_at?.getTime() ?? null,
  }))
}

/** Newest first. */
async function readAttempts(db: Lookups, accountId: string, endpointId: string): Promise<SignedAttempt[]> {
  const rows = await db.query<{ id: string; signature: string | null; verified_by: string | null }>(
    // reads (endpoint, sequence) backwards, and the attempts of each delivery by primary key
    `select a.id, split_part(a.request, e'\\n', 1) as signature,
       case when a.error_code is null then a.verified_by end as verified_by
     from (
       select account_id, id from delivery
       where account_id = $1 and endpoint_id = $2
       order by sequence desc limit $3
     ) d
     cross join lateral (
       select id, request, error_code, verified_by from attempt
       where account_id = d.account_id and delivery_id = d.id
       order by id desc limit $4
     ) a
     order by a.id desc limit $4`,
    [accountId, endpointId, deliveriesMax, attemptsMax],
  )
  return rows.map(row => ({
    startedAtMs: uuidV7Ms(row.id),
    signedParts: [...(row.signature ?? '').matchAll(/,(\w+)=/g)].map(([, name = '']) => name),
    verifiedParts: (row.verified_by ?? '').split(',').map(name => name.trim()),
  }))
}
