import type { Database } from '../../packages/server/src/db/database.ts'
import { openDatabase } from '../../packages/server/src/db/open-database.ts'
import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'

/** Opens a run's database beside the service, or after it when it is the embedded one; one connection. */
export async function openPlace({ databaseUrl, dataDir }: DatabasePlace): Promise<Database> {
  return await openDatabase({
    url: databaseUrl,
    dataDir,
    connectionsMax: 1,
    onLost: error => {
      throw error
    },
  })
}
