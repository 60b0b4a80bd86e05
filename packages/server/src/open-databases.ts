import type { Config } from './config.ts'
import type { Database, Lookups } from './db/database.ts'
import { type DatabaseOptions, openDatabase } from './db/open-database.ts'
import { plannedOnce } from './db/planned-once.ts'
import { openPrimary } from './db/primary-connections.ts'
import { createMissingPartitions } from './maintenance/create-missing-partitions.ts'
import { lookupsOnlySettings, ordinarySettings, plannedOnceSettings } from './db/session-settings.ts'

/**
 * The doors to the one database, each with connections of its own to a PostgreSQL server: requests that wait for each other
 * inside transactions, or for history on the disk, must not keep the hot path from its connections. The embedded database
 * has one connection for all.
 */
export interface Databases {
  readonly db: Database
  /** What is accepted, claimed and settled. */
  readonly hotDb: Database
  /** For renewing the lease. */
  readonly leaseDb: Database
  readonly history: Lookups
}

const verbConnectionsMax = 12
const hotConnectionsMax = 4
const historyConnectionsMax = 4

/**
 * Opens them, to be closed by `opened`.
 * @param events what happens to the embedded database
 */
export async function openDatabases(
  { databaseUrl: url, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  opened: AsyncDisposableStack,
  events: Pick<DatabaseOptions, 'onLost' | 'onTrouble'>,
): Promise<Databases> {
  const primary = url === null ? null : openPrimary(url)
  const open = async (connectionsMax: number, settings: readonly string[]): Promise<Database> =>
    createMissingPartitions(
      opened.use(await openDatabase({ url, dataDir, connectionsMax, settings, primary, ...events })),
    )
  const db = await open(verbConnectionsMax, ordinarySettings)
  if (db.kind === 'embedded') return { db, hotDb: db, leaseDb: db, history: plannedOnce(db) }
  return {
    db,
    hotDb: await open(hotConnectionsMax, lookupsOnlySettings),
    leaseDb: await open(1, ordinarySettings),
    history: plannedOnce(await open(historyConnectionsMax, plannedOnceSettings)),
  }
}
