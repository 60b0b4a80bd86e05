import type { Database } from '../db/database.ts'
import { recountLost } from './recount-lost.ts'
import { Statistics } from './statistics.ts'

const writeEveryMs = 5_000

/**
 * Begins to count this process's attempts. With the embedded database nobody else can live: what a process that died had
 * not counted is recounted at once.
 */
export async function openStatistics(db: Database, onError: (error: unknown) => void): Promise<Statistics> {
  const statistics = await Statistics.open({ db, writeEveryMs, onError })
  if (db.kind === 'embedded') await recountLost(db, { nowMs: null, except: statistics.processNumber })
  return statistics
}
