import { type AccountTable, accountTables } from '../accounts/account-tables.ts'
import type { Queryable } from '../db/database.ts'
import type { Move } from './moved-account.ts'

const streamed = accountTables.filter(({ transfer }) => transfer === 'streamed')

/** Publishes the account's rows on the shard that it leaves. Every key begins with `account_id`, so changes are filtered too. */
export async function publish({ source: { db }, name, accountId }: Move): Promise<void> {
  const [known] = await db.query('select 1 as one from pg_publication where pubname = $1', [name])
  if (known !== undefined) return
  const tables = (await columnsToPublish(db)).map(
    // a publication takes no parameters; the id is a UUID that was parsed
    ({ table, columns }) => `table ${table} (${columns.join(', ')}) where (account_id = '${accountId}')`,
  )
  await db.query(
    `create publication ${name} for ${tables.join(', ')} with (publish_via_partition_root = true)`,
  )
}

/** @throws Error if a migration has added columns or tables since the copying began: they would stay behind */
export async function refuseOtherColumns({ source: { db }, name }: Move): Promise<void> {
  const published = await db.query<{ table: string; columns: string[] }>(
    `select tablename::text as table, array(select quote_ident(n) from unnest(attnames) n) as columns
     from pg_publication_tables where pubname = $1`,
    [name],
  )
  if (published.length === 0) return
  const known = new Map(published.map(({ table, columns }) => [table, columns]))
  for (const { table, columns } of await columnsToPublish(db)) {
    const missing = columns.filter(column => known.get(table)?.includes(column) !== true)
    if (missing.length > 0) {
      throw new Error(
        `${table} has new columns since this move began (${missing.join(', ')}): undo it with --cancel, and move the account again`,
      )
    }
  }
}

async function columnsToPublish(db: Queryable): Promise<Array<{ table: string; columns: string[] }>> {
  const tables = []
  for (const table of [...streamed, moveTable]) {
    tables.push({ table: table.table, columns: await movedColumns(db, table) })
  }
  return tables
}

/** Does nothing if it was done before. */
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
