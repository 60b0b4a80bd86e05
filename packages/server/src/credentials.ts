import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from './context.ts'
import { formatMasterKeys, type MasterKey, parseMasterKeys } from './seal/master-keys.ts'

/** The operator's token: as configured, else from the data directory, where the first start makes it. */
export function adminTokenFrom(
  dataDir: string,
  configured: string | null,
  random: Random,
): { token: string; path: string | null } {
  if (configured !== null) return { token: configured, path: null }
  const path = join(dataDir, 'admin-token')
  const token = keepOnce(path, () => `pha_${Buffer.from(random.bytes(32)).toString('base64url')}`)
  return { token, path }
}

/** The master keys: as configured, else from the data directory, where the first start makes one. */
export function masterKeysFrom(dataDir: string, configured: MasterKey[] | null, random: Random): MasterKey[] {
  if (configured !== null) return configured
  const made = (): string => formatMasterKeys([{ id: 'first', key: random.bytes(32) }])
  return parseMasterKeys(keepOnce(masterKeysPath(dataDir), made))
}

/** The master keys that a start has kept in the data directory; null where none has. */
export function keptMasterKeys(dataDir: string): MasterKey[] | null {
  const path = masterKeysPath(dataDir)
  return existsSync(path) ? parseMasterKeys(readFileSync(path, 'utf8')) : null
}

function masterKeysPath(dataDir: string): string {
  return join(dataDir, 'master-keys')
}

/** Reads a secret file, or makes it: readable by its owner alone, and never overwritten. */
function keepOnce(path: string, make: () => string): string {
  if (!existsSync(path)) {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    writeFileSync(path, `${make()}\n`, { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(path, 'utf8').trim()
}
