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
 * Creates the seal after it has tested the master keys. If the first key is wrong, the start fails, because values that it
 * encrypts could not be told from older ones. Another wrong key is only logged, because a lost key must not stop the rest
 * of the service.
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
      `the master key "${id}" decrypts none of its secrets: endpoints with these secrets receive nothing, and accounts with these secrets cannot send mail`,
    )
  }
  return createSeal(masterKeys, random)
}
