import { type AccountTable, accountTables } from '../accounts/account-tables.ts'
import type { Queryable } from '../db/database.ts'
import type { Move } from './moved-account.ts'

const streamed = accountTables.filter(({ transfer }) => transfer === 'streamed')

/**
 * Publishes the account's rows on the shard that it leaves. Every key begins with `account_id`, so changes are filtered too. The
 * comment is the timeline of the other shard.
 */
export async function publish({ source: { db }, target, name, accountId }: Move): Promise<void> {
  const [known] = await db.query('select 1 as one from pg_publication where pubname = $1', [name])
  if (known !== undefined) return
  const tables = (await columnsToPublish(db)).map(
    // a publication takes no parameters; the id is a UUID that was parsed
    ({ table, columns }) => `table ${table} (${columns.join(', ')}) where (account_id = '${accountId}')`,
  )
  const timeline = await timelineOf(target.db)
  await db.transaction(async tx => {
    await tx.query(
      `create publication ${name} for ${tables.join(', ')} with (publish_via_partition_root = true)`,
    )
    await tx.query(`comment on publication ${name} is '${timeline}'`)
  })
}

/**
 * Refuses to go on if the copy may be incomplete. Does nothing if the copying has not begun.
 * @throws Error if a standby of the other shard has taken over, because it may lack rows that the server before it has
 * confirmed; or if a migration has added columns
 */
export async function refuseIncomplete(move: Move): Promise<void> {
  const { source, target, name } = move
  const [begun] = await source.db.query<{ timeline: string }>(
    `select obj_description(oid, 'pg_publication') as timeline from pg_publication where pubname = $1`,
    [name],
  )
  if (begun === undefined) return
  if (begun.timeline !== (await timelineOf(target.db))) {
    throw new Error(
      `another server has taken over shard ${target.number} since this move began: undo it with --cancel, and move the account again`,
    )
  }
  await refuseOtherColumns(move)
}

async function timelineOf(db: Queryable): Promise<string> {
  const [row] = await db.query<{ timeline: string }>('select wal_timeline() as timeline')
  return row?.timeline ?? ''
}

/** A publication keeps its columns. */
async function refuseOtherColumns({ source: { db }, name }: Move): Promise<void> {
  const published = await db.query<{ table: string; columns: string[] }>(
    `select tablename::text as table, array(select quote_ident(n) from unnest(attnames) n) as columns
     from pg_publication_tables where pubname = $1`,
    [name],
  )
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
