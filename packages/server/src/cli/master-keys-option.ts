import type { Config } from '../config.ts'
import { keepSecret, keptMasterKeys, masterKeysPath, readMasterKeys } from '../credentials.ts'
import { formatMasterKeys, type MasterKey } from '../seal/master-keys.ts'
import type { Option } from './command.ts'
import { CommandError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'

/** For commands that read encrypted secrets from another installation. */
export const masterKeysOption = {
  'master-keys': { value: 'file', meaning: 'The master keys that belong to it.' },
} as const satisfies Record<string, Option>

export interface AvailableMasterKeys {
  /** Null if there are none. */
  keys: MasterKey[] | null
  /** Copies the keys in --master-keys into the data directory, if it has none and needs them. */
  keep: () => void
}

/**
 * The master keys in --master-keys, otherwise the configured ones, otherwise those in the data directory.
 * @throws CommandError if --master-keys cannot be read, or differs from the keys that the installation has
 */
export function availableMasterKeys(
  input: CommandInput,
  settings: Pick<Config, 'databaseUrl' | 'dataDir' | 'masterKeys'>,
): AvailableMasterKeys {
  const from = input.text('master-keys')
  try {
    const own =
      settings.masterKeys ?? (settings.databaseUrl === null ? keptMasterKeys(settings.dataDir) : null)
    if (from === undefined) return { keys: own, keep: () => {} }
    const given = readMasterKeys(from)
    if (own !== null && formatMasterKeys(own) !== formatMasterKeys(given)) {
      const where = settings.masterKeys === null ? masterKeysPath(settings.dataDir) : 'POSTHORN_MASTER_KEYS'
      throw new Error(`${where} already has other keys`)
    }
    const keeps = own === null && settings.databaseUrl === null
    return {
      keys: given,
      keep: () => {
        if (keeps) keepSecret(masterKeysPath(settings.dataDir), formatMasterKeys(given))
      },
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = from === undefined ? reason : `cannot use the master keys in ${from}: ${reason}`
    throw new CommandError('master_keys_unusable', message, { cause: error })
  }
}
