import type { Queryable } from '../db/database.ts'
import { countedOutcome } from '../domain/counted-outcome.ts'
import type { EventType } from '../domain/event-type.ts'
import { firstUuidV7At } from '../domain/uuid-v7.ts'
import { readEventData } from '../events/event-data.ts'
import { OutcomeCounts } from './outcome-counts.ts'
import { writeOutcomeCounts } from './write-outcome-counts.ts'

const batchEvents = 1_000
const batchCounts = 5_000

/** Replaces the counts of a process since `fromMs`, from the events that it stored. Erased events have neither reason nor domain. */
export async function recountOutcomes(tx: Queryable, process: number, fromMs: number): Promise<void> {
  await tx.query('delete from outcome_stat where process = $1 and at >= $2', [process, new Date(fromMs)])
  const counts = await countEvents(tx, process, fromMs)
  for (let n = 0; n < counts.length; n += batchCounts) {
    await writeOutcomeCounts(tx, process, counts.slice(n, n + batchCounts))
  }
}

async function countEvents(tx: Queryable, process: number, fromMs: number) {
  const counts = new OutcomeCounts()
  await tx.query(
    // finds the last minutes by the index event_time
    `declare lost no scroll cursor for
     select account_id, id, type::text as type, body from event where id >= $2 and process = $1`,
    [process, firstUuidV7At(fromMs)],
  )
  for (;;) {
    const rows = await tx.query<{ account_id: string; id: string; type: EventType; body: Uint8Array }>(
      `fetch ${batchEvents} from lost`,
    )
    for (const { account_id: accountId, id, type, body } of rows) {
      counts.add({ accountId, id, type, counted: countedOutcome(type, readEventData(body)) })
    }
    if (rows.length < batchEvents) break
  }
  await tx.query('close lost')
  return counts.take()
}
