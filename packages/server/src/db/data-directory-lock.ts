import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

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
  const file = new DatabaseSync(join(dataDir, 'lock'), { timeout: 0 })
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
