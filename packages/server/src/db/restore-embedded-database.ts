import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { holdsDatabase } from './database-directory.ts'
import type { Database } from './database.ts'
import { lockDataDirectory } from './data-directory-lock.ts'
import { openEmbeddedDatabase } from './embedded-database.ts'

/**
 * Makes the embedded database of a data directory from a tar archive of one, when `finish` has been through with it.
 * @throws DataDirectoryInUseError when a service runs on the directory, NotADatabaseError when something else lies in
 * the database's place, Error when a database does, or when the archive holds none
 */
export async function restoreEmbeddedDatabase<T>(
  dataDir: string,
  archive: Uint8Array<ArrayBuffer>,
  finish: (database: Database) => Promise<T>,
): Promise<T> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  using _lock = lockDataDirectory(dataDir)
  const directory = join(dataDir, 'database')
  if (holdsDatabase(directory)) {
    throw new Error(`${directory} exists; a backup is restored only to where no database is`)
  }
  // it stands in its place only when all is done
  const half = join(dataDir, 'restoring')
  rmSync(half, { recursive: true, force: true })
  try {
    await unpack(half, archive)
    const finished = await finishIn(half, finish)
    rmSync(directory, { recursive: true, force: true }) // an empty one
    renameSync(join(half, 'database'), directory)
    return finished
  } finally {
    rmSync(half, { recursive: true, force: true })
  }
}

async function unpack(dataDir: string, archive: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    mkdirSync(dataDir, { mode: 0o700 })
    const database = await PGlite.create(join(dataDir, 'database'), { loadDataDir: new Blob([archive]) })
    await database.query('select version from schema_migration')
    await database.close()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the archive holds no database of Posthorn (${reason})`, { cause: error })
  }
}

async function finishIn<T>(dataDir: string, finish: (database: Database) => Promise<T>): Promise<T> {
  const lost = Promise.withResolvers<never>()
  lost.promise.catch(() => {})
  await using database = await openEmbeddedDatabase(dataDir, { onLost: lost.reject })
  return await Promise.race([finish(database), lost.promise])
}
