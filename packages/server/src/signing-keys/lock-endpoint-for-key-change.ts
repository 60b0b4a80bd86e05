import type { Queryable } from '../db/database.ts'
import { webhookNotFound } from '../webhooks/webhook-not-found.ts'

/**
 * Locks the endpoint's row, so that changes of its keys are serial, and increments its version, so that no process signs
 * with keys that it read before.
 */
export async function lockEndpointForKeyChange(
  tx: Queryable,
  accountId: string,
  webhookId: string,
): Promise<void> {
  const [row] = await tx.query(
    `update endpoint set version = version + 1, updated_at = now()
     where account_id = $1 and id = $2 and kind = 'events' and deleted_at is null
     returning id`,
    [accountId, webhookId],
  )
  if (row === undefined) throw webhookNotFound()
}
