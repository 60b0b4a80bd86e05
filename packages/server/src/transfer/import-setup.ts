import type { Database } from '../db/database.ts'
import {
  transferredTables,
  type ExportedRow,
  type ExportHead,
  type TransferredTable,
} from './transferred-tables.ts'

/**
 * Puts an exported set-up into a database, all of it or nothing. Rows that are there already stay as they are, so that
 * it may be repeated. Returns how many were new, by table.
 * @throws Error that names the line that is wrong
 */
export async function importSetup(
  database: Database,
  version: number,
  lines: readonly string[],
): Promise<Record<TransferredTable, number>> {
  const [head, ...rows] = lines.map(parseLine)
  return await database.transaction(async tx => {
    if (head === undefined || !('posthorn_export' in head)) throw new Error('this is no export of Posthorn')
    if (head.schema_version !== version) {
      throw new Error(
        `the export is of schema version ${head.schema_version} and this database of ${version}: export and import with the same release`,
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
      erasure: 0,
    }
    for (const [index, line] of rows.entries()) {
      const known = 'table' in line ? transferredTables.find(({ table }) => table === line.table) : undefined
      if (known === undefined || !('row' in line)) throw new Error(`line ${index + 2} is no row of a set-up`)
      const { table } = known
      const staysBehind = 'staysBehind' in known ? known.staysBehind : []
      const fresh = await tx.query(
        `insert into ${table} select * from jsonb_populate_record(null::${table}, $1::jsonb - $2::text[])
         on conflict do nothing
         returning 1 as fresh`,
        [JSON.stringify(line.row), staysBehind],
      )
      imported[table] += fresh.length
    }
    return imported
  })
}

function parseLine(text: string, index: number): ExportHead | ExportedRow {
  try {
    return JSON.parse(text) as ExportHead | ExportedRow
  } catch (error) {
    throw new Error(`line ${index + 1} is no JSON`, { cause: error })
  }
}
