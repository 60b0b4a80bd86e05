import type { Queryable } from '../db/database.ts'
import { purgeAccountData, purgeTable } from './purge-account-data.ts'

/**
 * Deletes the data of accounts that another shard has: that of moved accounts, and copies of cancelled moves. It starts an hour
 * after the move, when all attempts have ended.
 * @param nowMs from the maintenance gate
 */
export async function purgeMovedAccounts(
  db: Queryable,
  nowMs: number,
): Promise<{ accounts: number; rows: number }> {
  const due = await db.query<{ account_id: string }>(
    `select account_id from account_move
     where step in ('left', 'cancelled') and ended_at < $1::timestamptz - interval '1 hour'
     order by ended_at`,
    [new Date(nowMs)],
  )
  let rows = 0
  for (const { account_id: accountId } of due) rows += await purgeMovedAccount(db, accountId)
  return { accounts: due.length, rows }
}

/** The account may move back meanwhile: what arrives then is not deleted. */
const isAway = `exists (select from account_move where account_id = $1 and step in ('left', 'cancelled'))`

/** Deletes what is left of one account. Does nothing if this shard has the account. */
export async function purgeMovedAccount(db: Queryable, accountId: string): Promise<number> {
  const [left] = await db.query(
    `select 1 as one from account_move m
     where m.account_id = $1 and m.step in ('left', 'cancelled')
       and not exists (select from account a where a.id = m.account_id)`,
    [accountId],
  )
  if (left === undefined) return 0
  const rows = await purgeAccountData(db, accountId, isAway)
  const entries = await purgeTable(db, accountId, { table: 'audit_entry', key: 'id', onlyWhile: isAway })
  await db.query(`delete from account_move where account_id = $1 and step in ('left', 'cancelled')`, [
    accountId,
  ])
  return rows + entries
}
