import type { Queryable } from '../db/database.ts'
import { erasedAddress } from './erase-events.ts'

/** Takes the address, in any case, out of the answers that are kept for repeated requests of the account. */
export async function eraseAnswers(tx: Queryable, accountId: string, address: string): Promise<void> {
  // as it stands inside a JSON string, and nothing in it is a pattern
  const pattern = JSON.stringify(address)
    .slice(1, -1)
    .replaceAll(/[^\w@]/g, String.raw`\$&`)
  await tx.query(
    `update idempotency_key set response = regexp_replace(response, $2, $3, 'gi')
     where account_id = $1 and response ~* $2`,
    [accountId, pattern, erasedAddress],
  )
}
