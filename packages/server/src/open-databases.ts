import type { Config } from './config.ts'
import type { Database, Lookups } from './db/database.ts'
import { type DatabaseOptions, openDatabase } from './db/open-database.ts'
import { reportLostAnswers } from './db/report-lost-answers.ts'
import { plannedOnce } from './db/planned-once.ts'
import { openPrimary } from './db/primary-connections.ts'
import { createMissingPartitions } from './maintenance/create-missing-partitions.ts'
import { lookupsOnlySettings, ordinarySettings, plannedOnceSettings } from './db/session-settings.ts'

/**
 * Separate connection pools to the same PostgreSQL server, so that slow transactions and history queries cannot take the
 * connections of the hot path. The embedded database has one connection for everything.
 */
export interface Databases {
  readonly db: Database
  /** For accept, claim and settle. */
  readonly hotDb: Database
  /** For renewing the lease. */
  readonly leaseDb: Database
  readonly history: Lookups
}

const verbConnectionsMax = 12
const hotConnectionsMax = 4
const historyConnectionsMax = 4

/**
 * Opens the pools; `opened` closes them.
 * @param events callbacks for failures of the database; `onAnswerLost`: it is unknown what was stored
 */
export async function openDatabases(
  { databaseUrl: url, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  opened: AsyncDisposableStack,
  events: Pick<DatabaseOptions, 'onLost' | 'onTrouble'> & { onAnswerLost?: () => void },
): Promise<Databases> {
  const primary = url === null ? null : openPrimary(url)
  const open = async (connectionsMax: number, settings: readonly string[]): Promise<Database> =>
    createMissingPartitions(
      opened.use(await openDatabase({ url, dataDir, connectionsMax, settings, primary, ...events })),
    )
  const db = reportLostAnswers(await open(verbConnectionsMax, ordinarySettings), events.onAnswerLost)
  if (db.kind === 'embedded') return { db, hotDb: db, leaseDb: db, history: plannedOnce(db) }
  return {
    db,
    hotDb: reportLostAnswers(await open(hotConnectionsMax, lookupsOnlySettings), events.onAnswerLost),
    leaseDb: await open(1, ordinarySettings),
    history: plannedOnce(await open(historyConnectionsMax, plannedOnceSettings)),
  }
}
