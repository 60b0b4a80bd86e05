import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { restrictToOwner } from './database-directory.ts'

/** Another process uses the data directory. Two processes on one PGlite would lose committed rows. */
class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError'
}

/**
 * Locks the directory with an exclusive transaction on a SQLite file, because the operating system releases that lock
 * when the process dies.
 * @throws DataDirectoryInUseError
 */
export function lockDataDirectory(dataDir: string): Disposable {
  const path = join(dataDir, 'lock')
  const file = new DatabaseSync(path, { timeout: 0 })
  // a user who can read the file can lock it
  restrictToOwner(path)
  try {
    file.exec('begin exclusive')
  } catch (error) {
    file.close()
    throw new DataDirectoryInUseError(
      `${dataDir} is in use by another Posthorn process; stop it first, or give this one a POSTHORN_DATA_DIR of its own`,
      { cause: error },
    )
  }
  return { [Symbol.dispose]: () => file.close() }
}
