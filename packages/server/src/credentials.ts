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
import { makeOperatorToken } from './domain/operator-token.ts'
import { MissingMasterKeyError } from './master-keys/missing-master-keys.ts'
import { formatMasterKeys, type MasterKey, parseMasterKeys } from './seal/master-keys.ts'
import { NamedKeysError } from './seal/named-keys.ts'
import { headerSecret } from './setting-schemas.ts'

/** A credential file is not valid. The message never shows its content. */
export class CredentialFileError extends Error {
  override readonly name = 'CredentialFileError'
}

/**
 * The operator token: the configured one, otherwise the one in the data directory, which the first start creates.
 * @throws CredentialFileError
 */
export function adminTokenFrom(
  dataDir: string,
  configured: string | null,
  random: Random,
): { token: string; path: string | null } {
  if (configured !== null) return { token: configured, path: null }
  const path = adminTokenPath(dataDir)
  if (!existsSync(path))
    keepSecret(
      path,
      makeOperatorToken(length => random.bytes(length)),
    )
  return { token: readAdminToken(path), path }
}

export function adminTokenPath(dataDir: string): string {
  return join(dataDir, 'admin-token')
}

/**
 * Reads the operator token from its file, with the same checks as for a configured one.
 * @throws CredentialFileError, or an error of the file system
 */
export function readAdminToken(path: string): string {
  const token = readFileSync(path, 'utf8').trim()
  const { error } = headerSecret.safeParse(token)
  if (error === undefined) return token
  throw new CredentialFileError(
    `the operator token in ${path}${error.issues[0]?.message}. Correct the file, or delete it: the next start creates a new token`,
  )
}

/**
 * The master keys: the configured ones, otherwise those in the data directory. Creates one if nothing is encrypted yet.
 * @param sealed the number of encrypted values by the id of their key
 * @throws MissingMasterKeyError if there are no keys, but encrypted values
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
 * The master keys in the data directory; null if the file does not exist.
 * @throws CredentialFileError
 */
export function keptMasterKeys(dataDir: string): MasterKey[] | null {
  const path = masterKeysPath(dataDir)
  return existsSync(path) ? readMasterKeys(path) : null
}

/** @throws CredentialFileError, or an error of the file system */
export function readMasterKeys(path: string): MasterKey[] {
  try {
    return parseMasterKeys(readFileSync(path, 'utf8'))
  } catch (error) {
    if (!(error instanceof NamedKeysError)) throw error
    throw new CredentialFileError(`${path} does not contain valid master keys: ${error.message}`, {
      cause: error,
    })
  }
}

export function masterKeysPath(dataDir: string): string {
  return join(dataDir, 'master-keys')
}

/** Writes a secret to a file that only its owner can read. Even after a power failure, the file is complete or absent. */
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
