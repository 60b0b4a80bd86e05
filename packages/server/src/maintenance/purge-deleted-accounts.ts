import type { Queryable } from '../db/database.ts'
import { purgeAccountData } from './purge-account-data.ts'

/**
 * Deletes every row of deleted accounts, and then the account. It starts an hour after the deletion, when all attempts have
 * ended.
 * @param nowMs from the maintenance gate
 */
export async function purgeDeletedAccounts(
  db: Queryable,
  nowMs: number,
): Promise<{ accounts: number; rows: number }> {
  const due = await db.query<{ id: string }>(
    `select id from account where deleted_at < $1::timestamptz - interval '1 hour' order by deleted_at`,
    [new Date(nowMs)],
  )
  let rows = 0
  for (const { id } of due) {
    rows += await purgeAccountData(db, id)
    await purgeAuditLog(db, id)
    await db.query(
      `with gone as (delete from account where id = $1 and deleted_at is not null returning id)
       delete from placement p using gone where p.account_id = gone.id`,
      [id],
    )
  }
  return { accounts: due.length, rows }
}

/** Keeps the entry that says who deleted the account, because it contains none of the account's data. */
async function purgeAuditLog(db: Queryable, accountId: string): Promise<void> {
  await db.query(`delete from audit_entry where account_id = $1 and action <> 'account.deleted'`, [accountId])
}
