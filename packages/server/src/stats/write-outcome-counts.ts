import { plainArray, plainColumns, quotedArray } from '../db/array-literal.ts'
import { textArray } from '../db/binary-array.ts'
import type { Queryable } from '../db/database.ts'
import type { OutcomeCount } from './outcome-counts.ts'

/** Adds rows with the outcome counts of a process. */
export async function writeOutcomeCounts(
  tx: Queryable,
  process: number,
  counts: readonly OutcomeCount[],
): Promise<void> {
  await tx.query(
    `insert into outcome_stat (account_id, at, width_seconds, process, type, reason, count, domains, domain_counts)
     select account_id, to_timestamp(minute_ms / 1000), 60, $1, type, reason, count, domains::text[], domain_counts::bigint[]
     from unnest($2::uuid[], $3::float8[], $4::event_type[], $5::text[], $6::bigint[], $7::text[], $8::text[])
       as c (account_id, minute_ms, type, reason, count, domains, domain_counts)`,
    [
      process,
      ...plainColumns(counts, 'accountId', 'minuteMs', 'type'),
      textArray(counts.map(one => one.reason)),
      ...plainColumns(counts, 'count'),
      // as text, because PostgreSQL arrays cannot contain arrays of different lengths
      textArray(counts.map(one => quotedArray([...one.domains.keys()]))),
      textArray(counts.map(one => plainArray([...one.domains.values()]))),
    ],
  )
}
