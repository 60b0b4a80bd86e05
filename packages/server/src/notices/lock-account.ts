import { accountNotFound } from '../accounts/account-not-found.ts'
import type { Queryable } from '../db/database.ts'

/** Serializes changes of the notice webhook, because its own row cannot be locked before it exists. */
export async function lockAccount(tx: Queryable, accountId: string): Promise<void> {
  const [account] = await tx.query(
    'select id from account where id = $1 and deleted_at is null for no key update',
    [accountId],
  )
  if (account === undefined) throw accountNotFound()
}
