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
import { masterKeysAtHand, masterKeysOption } from './master-keys-option.ts'
import { withOwnDatabase } from './own-database.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'Read accounts, API keys, endpoints, suppressions and domains from a file',
  about: [
    'Takes what posthorn export of the same release wrote, all of it or nothing; what is there already stays as it is.',
    'Works on the data directory (POSTHORN_DATA_DIR), which no running service may hold, or on the server that',
    'DATABASE_URL names. The master keys of the installation that was exported must be there: in POSTHORN_MASTER_KEYS,',
    'as the file master-keys in the data directory, or named with --master-keys, which copies them there. With a',
    'server, every process needs them in POSTHORN_MASTER_KEYS.',
  ].join('\n'),
  operands: [{ name: 'file', meaning: 'What posthorn export wrote.' }],
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
      // before the rows that need them
      keep()
      return await importSetup(database, version, lines)
    })
    const { account, api_key: apiKey, endpoint, signing_key: signingKey, ...ofMail } = imported
    return {
      exitCode: 0,
      json: imported,
      text: [
        `Imported ${account} accounts, ${apiKey} API keys, ${endpoint} endpoints, ${signingKey} signing keys,`,
        `${ofMail.suppression} suppressions, ${ofMail.sending_domain} sending domains, ${ofMail.mail_key} keys of links in mails, ${ofMail.erasure} erasures.`,
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
    throw new CommandError('file_unreadable', `${path} cannot be read: ${reason}`, { cause: error })
  }
}

/** Refuses what could never be opened, before anything is written. */
function takeMasterKeys(
  input: CommandInput,
  sealed: readonly SealedValue[],
): { isChecked: boolean; keep: () => void } {
  try {
    const settings = readTransferSettings()
    const { keys, keep } = masterKeysAtHand(input, settings)
    if (keys !== null) refuseWrongMasterKeys(sealed, keys)
    else if (sealed.length > 0 && settings.databaseUrl === null) {
      throw new CommandError(
        'master_keys_missing',
        `the ${sealed.length} secrets in the export cannot be opened: copy its master keys to ${masterKeysPath(settings.dataDir)}, or name them with --master-keys`,
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
  return `Every process needs the master keys that their secrets are sealed under: ${ids.join(', ')}.`
}
