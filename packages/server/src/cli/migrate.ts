import { ConfigError, readDatabaseSettings } from '../config.ts'
import type { Command } from './command.ts'
import { CommandError } from './command-error.ts'
import { describeFailure } from './describe-failure.ts'
import { complain } from './print.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: "Bring the database to this build's schema",
  about: [
    'posthorn start does the same; run it on its own to see a migration done before the processes are replaced.',
    'Works on the database in the data directory (POSTHORN_DATA_DIR), which no running service may hold, or on',
    'the PostgreSQL server that DATABASE_URL names, where it may run at any time.',
  ].join('\n'),
  examples: ['posthorn migrate', 'DATABASE_URL=postgres://posthorn@db/posthorn posthorn migrate --json'],
  async run() {
    try {
      const { databaseUrl, dataDir } = readDatabaseSettings()
      // loaded here, so that commands which need no database do not wait for its driver
      const [{ openDatabase }, { migrate: applyMigrations }] = await Promise.all([
        import('../db/open-database.ts'),
        import('../db/migrate.ts'),
      ])
      const onLost = (error: Error): void => {
        complain(`posthorn: ${error.message}`)
      }
      await using database = await openDatabase({ url: databaseUrl, dataDir, connectionsMax: 1, onLost })
      const { applied, version } = await applyMigrations(database)
      return {
        exitCode: 0,
        json: { applied, version },
        text:
          applied.length === 0
            ? `Nothing to do: the schema is at version ${version}.`
            : [...applied.map(name => `applied ${name}`), `The schema is at version ${version}.`].join('\n'),
      }
    } catch (error) {
      const code = error instanceof ConfigError ? 'setting_invalid' : 'migration_failed'
      throw new CommandError(code, describeFailure(error), { cause: error })
    }
  },
}
