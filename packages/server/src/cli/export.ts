import { existsSync, writeFileSync } from 'node:fs'
import { parseTypeId } from '../domain/type-id.ts'
import { exportSetup } from '../transfer/export-setup.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { withOwnDatabase } from './own-database.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Export accounts, API keys, endpoints, suppressions and domains to a file',
  about: [
    'Use it to move from the embedded database to a PostgreSQL server, or to move one account to another installation.',
    'The file has one JSON object per line. It does not contain events and deliveries. Signing secrets and header',
    'values stay encrypted, so the import needs the same master keys. API keys keep working.',
    'Reads the PostgreSQL server in DATABASE_URL, or the data directory (POSTHORN_DATA_DIR). Stop the service first if',
    'it uses the data directory.',
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'The file to write. It must not exist yet.' }],
  options: { account: { value: 'id', meaning: 'Export only this account (default all accounts).' } },
  examples: [
    'posthorn export setup.ndjson',
    'posthorn export acme.ndjson --account acct_…',
    'DATABASE_URL=postgres://posthorn@db/posthorn posthorn export s.ndjson',
  ],
  async run(input) {
    const path = input.operand('file')
    const account = input.text('account')
    const accountId = account === undefined ? null : parseTypeId('acct', account)
    if (account !== undefined && accountId === null)
      throw new CommandError('invalid_account', `"${account}" is not an account id such as acct_…`)
    if (existsSync(path))
      throw new CommandError('file_exists', `${path} already exists: use another file name`)
    const lines = await withOwnDatabase('export_failed', async (database, version) => {
      const found = await exportSetup(database, version, accountId)
      writeFileSync(path, found.map(line => `${JSON.stringify(line)}\n`).join(''), {
        mode: 0o600,
        flag: 'wx',
      })
      return found
    })
    return {
      exitCode: 0,
      json: { file: path, rows: lines.length - 1 },
      text: `Wrote ${lines.length - 1} rows to ${path}. The import needs the same master keys.`,
    }
  },
}
