import type { AccountTable } from '../accounts/account-tables.ts'
import type { Queryable } from '../db/database.ts'
import { movedColumns } from './publication.ts'

const batchRows = 1_000

/** Copies the rows of one table from one database to another, within a transaction of each. Returns how many. */
export async function copyRows(
  from: Queryable,
  to: Queryable,
  accountId: string,
  table: AccountTable,
): Promise<number> {
  const columns = (await movedColumns(to, table)).join(', ')
  await from.query(
    `declare moved no scroll cursor for
     select (to_jsonb(t) - $2::text[])::text as row from ${table.table} t where t.account_id = $1`,
    [accountId, table.local ?? []],
  )
  let copied = 0
  for (;;) {
    const rows = await from.query<{ row: string }>(`fetch ${batchRows} from moved`)
    if (rows.length > 0) {
      await to.query(
        `insert into ${table.table} (${columns})
         select ${columns} from jsonb_populate_recordset(null::${table.table}, $1::jsonb)`,
        [`[${rows.map(one => one.row).join(',')}]`],
      )
    }
    copied += rows.length
    if (rows.length < batchRows) break
  }
  await from.query('close moved')
  return copied
}
