import { readFileSync } from 'node:fs'
import { importSetup } from '../transfer/import-setup.ts'
import type { Command } from './command.ts'
import { withOwnDatabase } from './own-database.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'Read accounts, API keys, endpoints, suppressions and domains from a file',
  about: [
    'Takes what posthorn export of the same release wrote, all of it or nothing; what is there already stays as it is.',
    'The service must have the master keys of the installation that was exported. Works on the data directory',
    '(POSTHORN_DATA_DIR), which no running service may hold, or on the server that DATABASE_URL names.',
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'What posthorn export wrote.' }],
  examples: ['DATABASE_URL=postgres://posthorn@db/posthorn posthorn import setup.ndjson'],
  async run(input) {
    const imported = await withOwnDatabase('import_failed', async (database, version) => {
      const lines = readFileSync(input.operand('file'), 'utf8').split('\n')
      return await importSetup(database, version, lines.filter(Boolean))
    })
    const { account, api_key: apiKey, endpoint, signing_key: signingKey, ...ofMail } = imported
    return {
      exitCode: 0,
      json: imported,
      text: [
        `Imported ${account} accounts, ${apiKey} API keys, ${endpoint} endpoints, ${signingKey} signing keys,`,
        `${ofMail.suppression} suppressions, ${ofMail.sending_domain} sending domains, ${ofMail.mail_key} keys of links in mails.`,
      ].join(' '),
    }
  },
}
