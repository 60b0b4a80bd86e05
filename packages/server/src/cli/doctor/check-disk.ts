import { constants, existsSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import type { Check } from '../check.ts'

const brokenBelowBytes = 100e6
const noteBelowBytes = 1e9

/** Whether the data directory can be written, is closed to others, and has room. */
export async function checkDisk({ dataDir, databaseUrl }: Config): Promise<Check> {
  const name = 'Disk'
  const path = resolve(dataDir)
  const there = existing(path)
  const { bavail, bsize } = await statfs(there)
  const freeBytes = bavail * bsize
  const found = `${path}${there === path ? '' : ' (not made yet)'}, ${(freeBytes / 1e9).toFixed(1)} GB free`
  const whose = databaseUrl === null ? '' : '; the database is on another disk, which this command cannot see'
  try {
    await access(there, constants.W_OK)
  } catch {
    const user = `Let the user that runs Posthorn write ${there}, or set POSTHORN_DATA_DIR`
    // with a server the directory holds nothing
    return {
      name,
      state: databaseUrl === null ? 'broken' : 'note',
      found: `${found}, not writable`,
      advice: user,
    }
  }
  if (freeBytes < brokenBelowBytes && databaseUrl === null) {
    return { name, state: 'broken', found, advice: 'Make room, or the database stops taking reports' }
  }
  if (freeBytes < noteBelowBytes) return { name, state: 'note', found, advice: 'Make room soon' }
  const { mode } = await stat(there)
  if (there === path && (mode & 0o077) !== 0 && databaseUrl === null) {
    return { name, state: 'note', found: `${found}, open to other users`, advice: `Run chmod 700 ${path}` }
  }
  return { name, state: 'ok', found: found + whose }
}

/** The path, or the folder above it that is there. */
function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path))
}
