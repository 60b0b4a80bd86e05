import { type AccountTable, accountTables } from '../accounts/account-tables.ts'
import type { Queryable } from '../db/database.ts'
import type { Move } from './moved-account.ts'

const streamed = accountTables.filter(({ transfer }) => transfer === 'streamed')

/** Publishes the account's rows on the shard that it leaves. Every key begins with `account_id`, so changes are filtered too. */
export async function publish({ source: { db }, name, accountId }: Move): Promise<void> {
  const [known] = await db.query('select 1 as one from pg_publication where pubname = $1', [name])
  if (known !== undefined) return
  const tables = []
  for (const table of [...streamed, moveTable]) {
    const columns = await movedColumns(db, table)
    // a publication takes no parameters; the id is a UUID that was parsed
    tables.push(`table ${table.table} (${columns.join(', ')}) where (account_id = '${accountId}')`)
  }
  await db.query(
    `create publication ${name} for ${tables.join(', ')} with (publish_via_partition_root = true)`,
  )
}

export async function unpublish({ source: { db }, name }: Move): Promise<void> {
  await db.query(`drop publication if exists ${name}`)
}

/** The row of the move itself: it tells the other shard that everything before it has arrived. */
const moveTable: AccountTable = {
  table: 'account_move',
  key: 'account_id',
  transfer: 'streamed',
  local: ['ended_at'],
}

/** The columns of a table that move, quoted. */
export async function movedColumns(
  db: Queryable,
  { table, local = [] }: Pick<AccountTable, 'table' | 'local'>,
): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> all($2::text[])
     order by attnum`,
    [table, local],
  )
  return rows.map(row => row.name)
}
