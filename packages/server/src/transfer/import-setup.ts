import type { Database } from '../db/database.ts'
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
      imported[table] += fresh.length
    }
    return imported
  })
}

function parseLine(text: string, index: number): ExportHead | ExportedRow {
  try {
    return JSON.parse(text) as ExportHead | ExportedRow
  } catch (error) {
    throw new Error(`line ${index + 1} is not valid JSON`, { cause: error })
  }
}
