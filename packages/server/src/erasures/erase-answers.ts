import type { Queryable } from '../db/database.ts'
import { erasedAddress } from '../domain/erased-address.ts'

/** Removes the address, in upper or lower case, from the answers that are stored for idempotency keys. */
export async function eraseAnswers(tx: Queryable, accountId: string, address: string): Promise<void> {
  // escaped as in a JSON string, and without special characters of a pattern
  const pattern = JSON.stringify(address)
    .slice(1, -1)
    .replaceAll(/[^\w@]/g, String.raw`\$&`)
  await tx.query(
    `update idempotency_key set response = regexp_replace(response, $2, $3, 'gi')
     where account_id = $1 and response ~* $2`,
    [accountId, pattern, erasedAddress],
  )
}
