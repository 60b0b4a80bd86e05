import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { lockDataDirectory } from './data-directory-lock.ts'

/**
 * Makes the embedded database of a data directory from a tar archive of one; returns the version of its schema.
 * @throws DataDirectoryInUseError when a service runs on the directory, Error when it has a database or the archive
 * holds none
 */
export async function restoreEmbeddedDatabase(
  dataDir: string,
  archive: Uint8Array<ArrayBuffer>,
): Promise<number> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  using _lock = lockDataDirectory(dataDir)
  const directory = join(dataDir, 'database')
  if (existsSync(directory)) {
    throw new Error(`${directory} exists; a backup is restored only to where no database is`)
  }
  // it stands in its place only when it has been opened and read
  const half = `${directory}.restoring`
  rmSync(half, { recursive: true, force: true })
  try {
    const database = await PGlite.create(half, { loadDataDir: new Blob([archive]) })
    const { rows } = await database.query<{ version: number }>(
      'select max(version) as version from schema_migration',
    )
    await database.close()
    renameSync(half, directory)
    return Number(rows[0]?.version)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the archive holds no database of Posthorn (${reason})`, { cause: error })
  }
}
