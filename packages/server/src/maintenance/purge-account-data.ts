import { accountTables } from '../accounts/account-tables.ts'
import type { Queryable } from '../db/database.ts'

const batchMax = 5_000

/**
 * Deletes all rows of an account except the audit log and the account itself. Returns how many.
 * @param onlyWhile a condition of each statement, which may refer to the account as `$1`
 */
export async function purgeAccountData(
  db: Queryable,
  accountId: string,
  onlyWhile = 'true',
): Promise<number> {
  let rows = 0
  for (const { table, key } of accountTables) {
    if (table !== 'audit_entry') rows += await purgeTable(db, accountId, { table, key, onlyWhile })
  }
  return rows
}

/**
 * Deletes in batches, because one long statement would keep its locks and its snapshot for minutes. Each batch takes the next
 * range of the primary key, so that it does not scan rows that are already deleted.
 */
export async function purgeTable(
  db: Queryable,
  accountId: string,
  { table, key, onlyWhile }: { table: string; key: string; onlyWhile: string },
): Promise<number> {
  let purged = 0
  for (;;) {
    const [last] = await db.query<object>(
      `select ${key} from ${table} where account_id = $1 and ${onlyWhile} order by ${key} offset $2 limit 1`,
      [accountId, batchMax - 1],
    )
    const values = Object.values(last ?? {})
    const upTo = values.map((_, n) => `$${n + 2}`).join(', ')
    const rows = await db.query(
      last === undefined
        ? `delete from ${table} where account_id = $1 and ${onlyWhile} returning 1 as one`
        : `delete from ${table} where account_id = $1 and ${onlyWhile} and (${key}) <= (${upTo}) returning 1 as one`,
      [accountId, ...values],
    )
    purged += rows.length
    if (last === undefined) return purged
  }
}
