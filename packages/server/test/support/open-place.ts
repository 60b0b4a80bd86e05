import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import type { DatabasePlace } from './test-database.ts'

/** Opens one connection to a database: next to the service, or after it if the database is embedded. */
export async function openPlace({
  databaseUrl,
  dataDir,
}: Pick<DatabasePlace, 'databaseUrl' | 'dataDir'>): Promise<Database> {
  return await openDatabase({
    url: databaseUrl,
    dataDir,
    connectionsMax: 1,
    onLost: error => {
      throw error
    },
  })
}
