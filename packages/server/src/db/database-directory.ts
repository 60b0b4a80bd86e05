import { chmodSync, existsSync, lstatSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The path of the embedded database contains something else. Nothing was changed. */
class NotADatabaseError extends Error {
  override readonly name = 'NotADatabaseError'
}

/** If one of these is missing, PostgreSQL does not start, or PGlite overwrites the database with a new one. */
const requiredFiles = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal', 'pg_xact']

/**
 * Whether the directory contains a database. False if it is empty or does not exist.
 * @throws NotADatabaseError if it contains anything else, or a database with missing files
 */
export function holdsDatabase(directory: string): boolean {
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return false
  const found = statSync(directory, { throwIfNoEntry: false })
  if (found === undefined) throw notADatabase(directory, 'it is a symbolic link to nothing')
  if (!found.isDirectory()) throw notADatabase(directory, 'it is not a directory')
  if (readdirSync(directory).length === 0) return false
  const missing = requiredFiles.filter(part => !existsSync(join(directory, part)))
  if (missing.length > 0) throw notADatabase(directory, `it lacks ${missing.join(', ')}`)
  return true
}

/**
 * Creates a database under another name and renames it when it is complete, so that a killed process leaves nothing that
 * looks like a database.
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

/** Removes other users' access to a path and everything below it: PGlite makes its files readable and writable for all. */
export function restrictToOwner(...path: string[]): void {
  const place = join(...path)
  const found = statSync(place)
  if ((found.mode & 0o077) === 0) return
  if (!found.isDirectory()) return chmodSync(place, 0o600)
  // the directory comes last, so that its mode shows whether all files are done
  for (const name of readdirSync(place)) restrictToOwner(place, name)
  chmodSync(place, 0o700)
}

function notADatabase(directory: string, reason: string): NotADatabaseError {
  return new NotADatabaseError(
    `${directory} is neither empty nor a database: ${reason}. Nothing was changed. Put the missing files back, or restore a backup into another data directory`,
  )
}
