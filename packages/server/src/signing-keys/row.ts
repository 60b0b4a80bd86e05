import type { SigningKey } from '@posthorn/contract'
import type { Queryable } from '../db/database.ts'
import { typeId } from '../domain/type-id.ts'
import { AppError } from '../errors.ts'
import { readRecentProof } from './read-recent-proof.ts'

export interface SigningKeyRow {
  id: string
  state: SigningKey['state']
  secret_prefix: string
  created_at: Date
  promoted_at: Date | null
  retired_at: Date | null
  signature_name: SigningKey['signature_name']
  verified_count: number
  last_verified_at: Date | null
}

/** The keys of endpoint `$2` of account `$1`, each with the name of its signature; the older staged key is `v1s`. */
export const namedSigningKeys = `(
  select k.*, case k.state
      when 'primary' then 'v1'
      when 'staged' then case row_number() over (partition by k.state order by k.id)
        when 1 then 'v1s' else 'v1s2' end
    end as signature_name
  from signing_key k where k.account_id = $1 and k.endpoint_id = $2
)`

/** Reads one key of an endpoint. */
export async function readSigningKey(
  tx: Queryable,
  accountId: string,
  webhookId: string,
  keyId: string,
): Promise<SigningKey> {
  const [row] = await tx.query<SigningKeyRow>(`select * from ${namedSigningKeys} k where k.id = $3`, [
    accountId,
    webhookId,
    keyId,
  ])
  if (row === undefined) {
    throw new AppError(
      'not_found',
      'This endpoint does not have this signing key. GET …/signing-keys lists its keys.',
    )
  }
  const recent = await readRecentProof(tx, accountId, webhookId)
  return toSigningKey(row, recent(row.id))
}

/** A signing key as the API shows it, without the secret. */
export function toSigningKey(row: SigningKeyRow, recent: SigningKey['recent']): SigningKey {
  return {
    key_id: typeId('whk', row.id),
    state: row.state,
    secret_prefix: row.secret_prefix,
    created_at: row.created_at.toISOString(),
    promoted_at: row.promoted_at?.toISOString() ?? null,
    retired_at: row.retired_at?.toISOString() ?? null,
    signature_name: row.signature_name,
    verified_count: row.verified_count,
    last_verified_at: row.last_verified_at?.toISOString() ?? null,
    recent,
  }
}
