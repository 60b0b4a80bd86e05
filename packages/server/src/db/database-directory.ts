import { chmodSync, existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Something stands where the embedded database belongs, and it is not one; nothing was changed. */
class NotADatabaseError extends Error {
  override readonly name = 'NotADatabaseError'
}

/** Without one of these PostgreSQL does not start, or PGlite writes a new database over the old one. */
const partsOfDatabase = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_xact']

/**
 * Whether the directory holds a database; false where nothing is yet.
 * @throws NotADatabaseError when it holds anything else, a database with missing parts included
 */
export function holdsDatabase(directory: string): boolean {
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return false
  const found = statSync(directory, { throwIfNoEntry: false })
  if (found === undefined) throw notADatabase(directory, 'it is a symbolic link to nothing')
  if (!found.isDirectory()) throw notADatabase(directory, 'it is not a directory')
  if (readdirSync(directory).length === 0) return false
  const missing = partsOfDatabase.filter(part => !existsSync(join(directory, part)))
  if (missing.length > 0) throw notADatabase(directory, `it lacks ${missing.join(', ')}`)
  return true
}

/**
 * Makes a database beside its place and moves it there when it is whole, so that a process that is killed in between
 * leaves nothing that looks like one.
 */
export async function makeDatabase(
  directory: string,
  make: (directory: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${directory}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  await make(unfinished)
  renameSync(unfinished, directory)
}

/** Takes other users' access to a directory and its files, which PGlite makes readable and writable for all. */
export function closeToOthers(...path: string[]): void {
  const place = join(...path)
  const found = statSync(place)
  if ((found.mode & 0o077) === 0) return
  if (!found.isDirectory()) return chmodSync(place, 0o600)
  // itself last: while it is open to others, some files may still be
  for (const name of readdirSync(place)) closeToOthers(place, name)
  chmodSync(place, 0o700)
}

function notADatabase(directory: string, reason: string): NotADatabaseError {
  return new NotADatabaseError(
    `${directory} is neither empty nor a database: ${reason}. Nothing was changed. Put the missing files back, or restore a backup into another data directory`,
  )
}
