import type { Config } from '../config.ts'
import { keepSecret, keptMasterKeys, masterKeysPath, readMasterKeys } from '../credentials.ts'
import { formatMasterKeys, type MasterKey } from '../seal/master-keys.ts'
import type { Option } from './command.ts'
import { CommandError } from './command-error.ts'
import type { CommandInput } from './command-input.ts'

/** Of commands that bring sealed values from elsewhere. */
export const masterKeysOption = {
  'master-keys': { value: 'file', meaning: 'The copy of the master keys that belong to it.' },
} as const satisfies Record<string, Option>

export interface MasterKeysAtHand {
  /** Null: there are none. */
  keys: MasterKey[] | null
  /** Copies those of --master-keys into the data directory, if they were named and are to lie there. */
  keep: () => void
}

/**
 * The master keys that a command may open with: of --master-keys, else as configured, else in the data directory.
 * @throws CommandError when --master-keys cannot be read, or names others than are there already
 */
export function masterKeysAtHand(
  input: CommandInput,
  settings: Pick<Config, 'databaseUrl' | 'dataDir' | 'masterKeys'>,
): MasterKeysAtHand {
  const from = input.text('master-keys')
  try {
    const own =
      settings.masterKeys ?? (settings.databaseUrl === null ? keptMasterKeys(settings.dataDir) : null)
    if (from === undefined) return { keys: own, keep: () => {} }
    const given = readMasterKeys(from)
    if (own !== null && formatMasterKeys(own) !== formatMasterKeys(given)) {
      const where = settings.masterKeys === null ? masterKeysPath(settings.dataDir) : 'POSTHORN_MASTER_KEYS'
      throw new Error(`there are others in ${where}`)
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
    const what = from === undefined ? reason : `cannot take the master keys from ${from}: ${reason}`
    throw new CommandError('master_keys_unusable', what, { cause: error })
  }
}
