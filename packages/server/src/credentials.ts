import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from './config.ts'
import type { Random } from './context.ts'
import { MissingMasterKeyError } from './master-keys/missing-master-keys.ts'
import { formatMasterKeys, type MasterKey, MasterKeysError, parseMasterKeys } from './seal/master-keys.ts'
import { headerSecret } from './setting-schemas.ts'

/** A file of the data directory does not hold the credential that it should; the message never shows its content. */
export class CredentialFileError extends Error {
  override readonly name = 'CredentialFileError'
}

/**
 * The operator's token: as configured, else from the data directory, where the first start makes it.
 * @throws CredentialFileError
 */
export function adminTokenFrom(
  dataDir: string,
  configured: string | null,
  random: Random,
): { token: string; path: string | null } {
  if (configured !== null) return { token: configured, path: null }
  const path = adminTokenPath(dataDir)
  if (!existsSync(path)) keepSecret(path, `pha_${Buffer.from(random.bytes(32)).toString('base64url')}`)
  return { token: readAdminToken(path), path }
}

export function adminTokenPath(dataDir: string): string {
  return join(dataDir, 'admin-token')
}

/**
 * Reads the operator's token from its file, which must be as good as a configured one.
 * @throws CredentialFileError, or the file system's error when it cannot be read
 */
export function readAdminToken(path: string): string {
  const token = readFileSync(path, 'utf8').trim()
  const { error } = headerSecret.safeParse(token)
  if (error === undefined) return token
  throw new CredentialFileError(
    `the operator's token in ${path}${error.issues[0]?.message}. Put such a token there, or delete the file: the next start makes one`,
  )
}

/**
 * The master keys: as configured, else from the data directory, where a start makes one if nothing is sealed yet.
 * @param sealed how many values are sealed, by the id of their key
 * @throws MissingMasterKeyError when there are none and something is sealed
 */
export function masterKeysFrom(
  { dataDir, masterKeys: configured }: Pick<Config, 'dataDir' | 'masterKeys'>,
  sealed: ReadonlyMap<string, number>,
  random: Random,
): MasterKey[] {
  const found = configured ?? keptMasterKeys(dataDir)
  if (found !== null) return found
  if (sealed.size > 0) throw MissingMasterKeyError.all(sealed, masterKeysPath(dataDir))
  const made = [{ id: 'first', key: random.bytes(32) }]
  keepSecret(masterKeysPath(dataDir), formatMasterKeys(made))
  return made
}

/**
 * The master keys in the data directory; null where there is no such file.
 * @throws CredentialFileError
 */
export function keptMasterKeys(dataDir: string): MasterKey[] | null {
  const path = masterKeysPath(dataDir)
  return existsSync(path) ? readMasterKeys(path) : null
}

/** @throws CredentialFileError, or the file system's error when it cannot be read */
export function readMasterKeys(path: string): MasterKey[] {
  try {
    return parseMasterKeys(readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof MasterKeysError)) throw error
    throw new CredentialFileError(`${path} holds no master keys: ${error.message}`, { cause: error })
  }
}

export function masterKeysPath(dataDir: string): string {
  return join(dataDir, 'master-keys')
}

/** Writes a secret file that its owner alone can read. It is there whole or not at all, even after a power cut. */
export function keepSecret(path: string, secret: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const unfinished = `${path}.unfinished`
  const file = openSync(unfinished, 'w', 0o600)
  try {
    writeSync(file, `${secret}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(unfinished, path)
}
