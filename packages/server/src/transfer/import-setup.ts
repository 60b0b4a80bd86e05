import type { Database, Queryable } from '../db/database.ts'
import {
  transferredTables,
  type ExportedRow,
  type ExportHead,
  type TransferredTable,
} from './transferred-tables.ts'

/**
 * Imports an exported setup into a database, all of it or nothing. Existing rows stay unchanged, so that an import may be
 * repeated. Returns the number of new rows by table.
 * @throws Error with the number of the wrong line
 */
export async function importSetup(
  database: Database,
  version: number,
  lines: readonly string[],
): Promise<Record<TransferredTable, number>> {
  const [head, ...rows] = lines.map(parseLine)
  return await database.transaction(async tx => {
    if (head === undefined || !('posthorn_export' in head))
      throw new Error('the file is not a Posthorn export')
    if (head.schema_version !== version) {
      throw new Error(
        `the export has schema version ${head.schema_version}, but this database has version ${version}: export and import with the same release`,
      )
    }
    const imported = {
      account: 0,
      api_key: 0,
      endpoint: 0,
      signing_key: 0,
      mail_key: 0,
      suppression: 0,
      sending_domain: 0,
      provider_source: 0,
      erasure: 0,
    }
    for (const [index, line] of rows.entries()) {
      const known = 'table' in line ? transferredTables.find(({ table }) => table === line.table) : undefined
      if (known === undefined || !('row' in line))
        throw new Error(`line ${index + 2} is not a row of an export`)
      const { table } = known
      const staysBehind = 'staysBehind' in known ? known.staysBehind : []
      const fresh = await tx.query(
        `insert into ${table} select * from jsonb_populate_record(null::${table}, $1::jsonb - $2::text[])
         on conflict do nothing
         returning 1 as fresh`,
        [JSON.stringify(line.row), staysBehind],
      )
      if (table === 'account' && fresh.length === 0) await refuseTakenCode(tx, line.row, index + 2)
      imported[table] += fresh.length
    }
    await placeAccounts(tx)
    return imported
  })
}

/** Otherwise the rows of the account would be imported without it. */
async function refuseTakenCode(tx: Queryable, row: object, lineNumber: number): Promise<void> {
  const id = 'id' in row ? row.id : undefined
  const [existing] = await tx.query('select from account where id = $1', [id])
  if (existing !== undefined) return
  throw new Error(
    `line ${lineNumber}: another account here has an id with the same last eight digits. Import this account into another installation`,
  )
}

/** On shard 0, an account has a placement from the start. On other shards, `posthorn directory rebuild` writes it. */
async function placeAccounts(tx: Queryable): Promise<void> {
  await tx.query(
    // each row gets a version of its own, because readers page by version
    `with missing as materialized (
       select id from account where not exists (select from placement p where p.account_id = account.id)
     ), changed as (
       update installation set directory_version = directory_version + (select count(*) from missing)
       where shard = 0
       returning directory_version
     )
     insert into placement (account_id, shard, version)
     select id, 0, directory_version + 1 - row_number() over (order by id desc) from missing, changed`,
  )
}

function parseLine(text: string, index: number): ExportHead | ExportedRow {
  try {
    return JSON.parse(text) as ExportHead | ExportedRow
  } catch (error) {
    throw new Error(`line ${index + 1} is not valid JSON`, { cause: error })
  }
}
