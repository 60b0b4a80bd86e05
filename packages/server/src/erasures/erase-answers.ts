import type { Queryable } from '../db/database.ts'
import type { RunningErasure } from './advance-erasures.ts'
import { erasedAddress } from './erase-events.ts'

/** Takes the address out of the answers that are kept for repeated requests of the account. */
export async function eraseAnswers(tx: Queryable, { account_id, recipient }: RunningErasure): Promise<void> {
  // as it stands inside a JSON string
  const inJson = JSON.stringify(recipient).slice(1, -1)
  await tx.query(
    `update idempotency_key set response = replace(response, $2, $3)
     where account_id = $1 and strpos(response, $2) > 0`,
    [account_id, inJson, erasedAddress],
  )
}
