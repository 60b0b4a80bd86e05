import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { holdsDatabase } from './database-directory.ts'
import type { Database } from './database.ts'
import { lockDataDirectory } from './data-directory-lock.ts'
import { extractTar } from './extract-tar.ts'
import { openEmbeddedDatabase } from './embedded-database.ts'

/**
 * Restores the embedded database from a tar archive, runs `finish` on it, and then moves it into the data directory.
 * @throws DataDirectoryInUseError if a service uses the directory, NotADatabaseError if the path of the database contains
 * something else, Error if a database already exists or the archive contains none
 */
export async function restoreEmbeddedDatabase<T>(
  dataDir: string,
  archive: AsyncIterable<Uint8Array>,
  finish: (database: Database) => Promise<T>,
): Promise<T> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  using _lock = lockDataDirectory(dataDir)
  const directory = join(dataDir, 'database')
  if (holdsDatabase(directory)) {
    throw new Error(`${directory} exists; restore the backup into a data directory that has no database`)
  }
  // a restore that fails must leave nothing at the path of the database
  const unfinished = join(dataDir, 'restoring')
  rmSync(unfinished, { recursive: true, force: true })
  try {
    await unpack(unfinished, archive)
    const finished = await finishIn(unfinished, finish)
    rmSync(directory, { recursive: true, force: true }) // may exist and be empty
    renameSync(join(unfinished, 'database'), directory)
    return finished
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

async function unpack(dataDir: string, archive: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    const directory = join(dataDir, 'database')
    mkdirSync(directory, { mode: 0o700, recursive: true })
    await extractTar(archive, directory)
    // PGlite would make a new database out of an incomplete one
    if (!holdsDatabase(directory)) throw new Error('it is empty')
    const database = await PGlite.create(directory)
    await database.query('select version from schema_migration')
    await database.close()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the file is not a complete backup (${reason})`, { cause: error })
  }
}

async function finishIn<T>(dataDir: string, finish: (database: Database) => Promise<T>): Promise<T> {
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  await using database = await openEmbeddedDatabase(dataDir, { onLost: lost.reject })
  return await Promise.race([finish(database), lost.promise])
}
