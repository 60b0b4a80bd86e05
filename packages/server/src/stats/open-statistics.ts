import type { Database } from '../db/database.ts'
import { recountLost } from './recount-lost.ts'
import { Statistics } from './statistics.ts'

const writeEveryMs = 5_000

/**
 * Starts to count the attempts of this process. With the embedded database, all other processes are dead, so it recounts
 * their attempts at once.
 */
export async function openStatistics(db: Database, onError: (error: unknown) => void): Promise<Statistics> {
  const statistics = await Statistics.open({ db, writeEveryMs, onError })
  if (db.kind === 'embedded') await recountLost(db, { nowMs: null, except: statistics.processNumber })
  return statistics
}
