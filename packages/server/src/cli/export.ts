import { existsSync, writeFileSync } from 'node:fs'
import { parseTypeId } from '../domain/type-id.ts'
import { exportSetup } from '../transfer/export-setup.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { withOwnDatabase } from './own-database.ts'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write accounts, API keys, endpoints, suppressions and domains to a file',
  about: [
    'For moving to another database, such as from the embedded one to a PostgreSQL server, or one account to another',
    'installation: one JSON object a line.',
    'Signing secrets and header values stay sealed and open only under the same master keys; API keys are hashes and',
    'go on working. Events and deliveries are not in it. Works on the data directory (POSTHORN_DATA_DIR), which no',
    'running service may hold, or on the server that DATABASE_URL names.',
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'Where to write it; nothing is overwritten.' }],
  options: { account: { value: 'id', meaning: 'Only this account; without it, all of them.' } },
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
      throw new CommandError('invalid_account', `${account} is no account’s id: it begins with acct_`)
    if (existsSync(path)) throw new CommandError('file_exists', `${path} exists; name another file`)
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
      text: `Wrote ${lines.length - 1} rows to ${path}. Their secrets open under the same master keys alone.`,
    }
  },
}
