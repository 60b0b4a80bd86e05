import { constants, existsSync } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import type { Check } from '../check.ts'

const brokenBelowBytes = 100e6
const noteBelowBytes = 1e9

/** Checks that the data directory is writable, is private, and has free space. */
export async function checkDisk({ dataDir, databaseUrl }: Config): Promise<Check> {
  const name = 'Disk'
  const path = resolve(dataDir)
  const there = existing(path)
  const { bavail, bsize } = await statfs(there)
  const freeBytes = bavail * bsize
  const found = `${path}${there === path ? '' : ' (not created yet)'}, ${(freeBytes / 1e9).toFixed(1)} GB free`
  const otherDisk =
    databaseUrl === null ? '' : '; this command cannot check the disk of the PostgreSQL server'
  try {
    await access(there, constants.W_OK)
  } catch {
    return {
      name,
      // with a PostgreSQL server the directory is not needed
      state: databaseUrl === null ? 'broken' : 'note',
      found: `${found}, not writable`,
      advice: `Give the user that runs Posthorn write access to ${there}, or set POSTHORN_DATA_DIR`,
    }
  }
  if (freeBytes < brokenBelowBytes && databaseUrl === null) {
    return {
      name,
      state: 'broken',
      found,
      advice: 'Free some space now: on a full disk, Posthorn rejects reports',
    }
  }
  if (freeBytes < noteBelowBytes) return { name, state: 'note', found, advice: 'Free some space soon' }
  const { mode } = await stat(there)
  if (there === path && (mode & 0o077) !== 0 && databaseUrl === null) {
    return {
      name,
      state: 'note',
      found: `${found}, accessible to other users`,
      advice: `Run chmod 700 ${path}`,
    }
  }
  return { name, state: 'ok', found: found + otherDisk }
}

/** The path, or its closest parent that exists. */
function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path))
}
