import { ConfigError, readDatabaseSettings } from '../config.ts'
import type { Database } from '../db/database.ts'
import { CommandError } from './command-error.ts'
import { describeFailure } from './describe-failure.ts'
import { printError } from './print.ts'

/** Opens and migrates the configured database for one command, without the service. */
export async function withOwnDatabase<T>(
  failureCode: string,
  work: (database: Database, schemaVersion: number) => Promise<T>,
): Promise<T> {
  try {
    const { databaseUrl, dataDir } = readDatabaseSettings()
    // imported here because the driver is slow to load
    const [{ openDatabase }, { migrate }] = await Promise.all([
      import('../db/open-database.ts'),
      import('../db/migrate.ts'),
    ])
    const onLost = (error: Error): void => {
      printError(`posthorn: ${error.message}`)
    }
    await using database = await openDatabase({ url: databaseUrl, dataDir, connectionsMax: 1, onLost })
    const { version } = await migrate(database)
    return await work(database, version)
  } catch (error) {
    if (error instanceof CommandError) throw error
    const code = error instanceof ConfigError ? 'setting_invalid' : failureCode
    throw new CommandError(code, describeFailure(error), { cause: error })
  }
}
