import type { Config } from './config.ts'
import type { Random } from './context.ts'
import { masterKeysFrom } from './credentials.ts'
import type { Queryable } from './db/database.ts'
import type { Log } from './log.ts'
import { countSealed } from './master-keys/count-sealed.ts'
import { refuseMissingMasterKeys } from './master-keys/missing-master-keys.ts'
import { mustNotSeal, someSealedValues, wrongMasterKeys } from './master-keys/refuse-wrong-master-keys.ts'
import { createSeal, type Seal } from './seal/seal.ts'

export interface SealOptions {
  config: Pick<Config, 'dataDir' | 'masterKeys'>
  random: Random
  log: Log
}

/**
 * The seal with the master keys of this installation, which are tried first. A wrong one that would seal stops the start:
 * what it sealed would look like what the right one has sealed. One that only opens is named in the log, because what a
 * lost key had sealed must not keep the rest from going on.
 * @throws MissingMasterKeyError, WrongMasterKeyError, CredentialFileError
 */
export async function openSeal(db: Queryable, { config, random, log }: SealOptions): Promise<Seal> {
  const sealed = await countSealed(db)
  const masterKeys = masterKeysFrom(config, sealed, random)
  refuseMissingMasterKeys(sealed, masterKeys)
  const ids = masterKeys.map(({ id }) => id).filter(id => sealed.has(id))
  const wrong = wrongMasterKeys(await someSealedValues(db, ids), masterKeys)
  for (const id of wrong) {
    if (id === masterKeys[0]?.id) throw mustNotSeal(id)
    log.error(
      { sealed_values: sealed.get(id) },
      `the master key "${id}" opens none of the secrets that are sealed under its name: its endpoints get nothing, and its accounts send no mail`,
    )
  }
  return createSeal(masterKeys, random)
}
