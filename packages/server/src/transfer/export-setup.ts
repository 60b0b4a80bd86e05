import type { Database } from '../db/database.ts'
import { type ExportedRow, type ExportHead, transferredTables } from './transferred-tables.ts'

/**
 * The set-up of an installation at one moment, line by line.
 * @param accountId only what is this account's (UUID); null for all
 * @throws Error when there is no such account
 */
export async function exportSetup(
  database: Database,
  version: number,
  accountId: string | null = null,
): Promise<(ExportHead | ExportedRow)[]> {
  return await database.transaction(async tx => {
    // rows of several statements that belong together
    await tx.query('set transaction isolation level repeatable read, read only')
    const lines: (ExportHead | ExportedRow)[] = [{ posthorn_export: 1, schema_version: version }]
    for (const { table, where, ...rest } of transferredTables) {
      const staysBehind = 'staysBehind' in rest ? rest.staysBehind : []
      const rows = await tx.query<{ row: object }>(
        `select to_jsonb(t) - $2::text[] as row from ${table} t
         where ${where} and ($1::uuid is null or ${table === 'account' ? 'id' : 'account_id'} = $1) order by t.id`,
        [accountId, staysBehind],
      )
      if (accountId !== null && table === 'account' && rows.length === 0)
        throw new Error('there is no such account')
      for (const { row } of rows) lines.push({ table, row })
    }
    return lines
  })
}
