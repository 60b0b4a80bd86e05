import type { Database } from '../db/database.ts'
import { type ExportedRow, type ExportHead, transferredTables } from './transferred-tables.ts'

/**
 * A consistent export of the setup of an installation, line by line.
 * @param accountId exports only this account (UUID); null for all accounts
 * @throws Error if the account does not exist
 */
export async function exportSetup(
  database: Database,
  version: number,
  accountId: string | null = null,
): Promise<(ExportHead | ExportedRow)[]> {
  return await database.transaction(async tx => {
    // one snapshot for all statements
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
        throw new Error('the account does not exist')
      for (const { row } of rows) lines.push({ table, row })
    }
    return lines
  })
}
