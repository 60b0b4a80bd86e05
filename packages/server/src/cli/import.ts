import { readFileSync } from 'node:fs'
import { ConfigError, readTransferSettings } from '../config.ts'
import { masterKeysPath } from '../credentials.ts'
import {
  countByKey,
  refuseWrongMasterKeys,
  type SealedValue,
} from '../master-keys/refuse-wrong-master-keys.ts'
import { importSetup } from '../transfer/import-setup.ts'
import { sealedInExport } from '../transfer/sealed-in-export.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'
import { availableMasterKeys, masterKeysOption } from './master-keys-option.ts'
import { withOwnDatabase } from './own-database.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'Import accounts, API keys, endpoints, suppressions and domains from a file',
  about: [
    'Reads a file that posthorn export wrote with the same release. It imports all of the file or nothing. Rows that',
    'already exist stay unchanged. Writes to the PostgreSQL server in DATABASE_URL, or to the data directory',
    '(POSTHORN_DATA_DIR). Stop the service first if it uses the data directory.',
    'The import needs the master keys of the installation that wrote the file. Put them into POSTHORN_MASTER_KEYS, or',
    'copy the file master-keys into the data directory, which --master-keys does for you. With a PostgreSQL server,',
    'every process needs them in POSTHORN_MASTER_KEYS.',
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'The file that posthorn export wrote.' }],
  options: masterKeysOption,
  examples: [
    'posthorn import setup.ndjson --master-keys /safe/master-keys',
    'DATABASE_URL=postgres://posthorn@db/posthorn posthorn import setup.ndjson',
  ],
  async run(input) {
    const lines = readLines(input.operand('file'))
    const sealed = sealedInExport(lines)
    const { isChecked, keep } = takeMasterKeys(input, sealed)
    const imported = await withOwnDatabase('import_failed', async (database, version) => {
      // rows must never exist without the keys that open them
      keep()
      return await importSetup(database, version, lines)
    })
    const { account, api_key: apiKey, endpoint, signing_key: signingKey, ...ofMail } = imported
    return {
      exitCode: 0,
      json: imported,
      text: [
        `Imported ${account} accounts, ${apiKey} API keys, ${endpoint} endpoints, ${signingKey} signing keys,`,
        `${ofMail.suppression} suppressions, ${ofMail.sending_domain} sending domains, ${ofMail.provider_source} sources, ${ofMail.mail_key} keys for links in emails, ${ofMail.erasure} erasures.`,
        ...(isChecked ? [] : [keysNeeded(sealed)]),
      ].join(' '),
    }
  },
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('file_unreadable', `cannot read ${path}: ${reason}`, { cause: error })
  }
}

/** Checks the master keys before anything is written. */
function takeMasterKeys(
  input: CommandInput,
  sealed: readonly SealedValue[],
): { isChecked: boolean; keep: () => void } {
  try {
    const settings = readTransferSettings()
    const { keys, keep } = availableMasterKeys(input, settings)
    if (keys !== null) refuseWrongMasterKeys(sealed, keys)
    else if (sealed.length > 0 && settings.databaseUrl === null) {
      throw new CommandError(
        'master_keys_missing',
        `the export has ${sealed.length} secrets, but its master keys are missing: copy them to ${masterKeysPath(settings.dataDir)}, or give their file with --master-keys`,
      )
    }
    return { isChecked: keys !== null || sealed.length === 0, keep }
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error
    const code = error instanceof ConfigError ? 'setting_invalid' : 'master_keys_unusable'
    throw new CommandError(code, error.message, { cause: error })
  }
}

function keysNeeded(sealed: readonly SealedValue[]): string {
  const ids = [...countByKey(sealed).keys()].map(id => `"${id}"`)
  return `Every process needs the master keys of the imported secrets: ${ids.join(', ')}.`
}
