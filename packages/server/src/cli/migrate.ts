import { ConfigError, readDatabaseSettings } from '../config.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { describeFailure } from './describe-failure.ts'
import { printError } from './print.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'Update the database schema to this version',
  about: [
    'posthorn start does this too. Run this command to finish the migration before you replace the processes.',
    'Works on the PostgreSQL server in DATABASE_URL at any time, or on the data directory (POSTHORN_DATA_DIR). Stop',
    'the service first if it uses the data directory.',
  ].join('\n'),
  examples: ['posthorn migrate', 'DATABASE_URL=postgres://posthorn@db/posthorn posthorn migrate --json'],
  async run() {
    try {
      const { databaseUrl, dataDir } = readDatabaseSettings()
      // imported here because the driver is slow to load
      const [{ openDatabase }, { migrate: applyMigrations }] = await Promise.all([
        import('../db/open-database.ts'),
        import('../db/migrate.ts'),
      ])
      const onLost = (error: Error): void => {
        printError(`posthorn: ${error.message}`)
      }
      await using database = await openDatabase({ url: databaseUrl, dataDir, connectionsMax: 1, onLost })
      const { applied, version } = await applyMigrations(database)
      return {
        exitCode: 0,
        json: { applied, version },
        text:
          applied.length === 0
            ? `Nothing to do: the schema is at version ${version}.`
            : [...applied.map(name => `Applied ${name}`), `The schema is at version ${version}.`].join('\n'),
      }
    } catch (error) {
      const code = error instanceof ConfigError ? 'setting_invalid' : 'migration_failed'
      throw new CommandError(code, describeFailure(error), { cause: error })
    }
  },
}
