import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { closeToOthers } from './database-directory.ts'

/** Another process owns the data directory; two on one PGlite lose committed rows. */
class DataDirectoryInUseError extends Error {
  override readonly name = 'DataDirectoryInUseError'
}

/**
 * Holds the directory for this process: an exclusive transaction on a SQLite file, which is a lock of the
 * operating system and dies with the process, however it dies.
 * @throws DataDirectoryInUseError
 */
export function lockDataDirectory(dataDir: string): Disposable {
  const path = join(dataDir, 'lock')
  const file = new DatabaseSync(path, { timeout: 0 })
  // who may read it may lock it too
  closeToOthers(path)
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
