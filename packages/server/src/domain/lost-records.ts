import type { RecordFinding } from './dns-answer.ts'
import type { WantedRecord } from './domain-records.ts'

type Purpose = WantedRecord['purpose']

/** For each record that was right once: how many checks in a row have not found it since. */
export type LostChecks = Readonly<Partial<Record<Purpose, number>>>

/** Fewer checks may be a mistake of one name server, or a record that somebody is just replacing. */
export const lostChecksMin = 3

/** What one more check means: the new counts, and the records that are now lost or back. */
export function countLost(
  before: LostChecks,
  checks: Partial<Record<Purpose, Pick<RecordFinding, 'state'>>>,
): { counts: LostChecks; lost: Purpose[]; back: Purpose[] } {
  const counts: Partial<Record<Purpose, number>> = { ...before }
  for (const [purpose, { state }] of Object.entries(checks) as Array<[Purpose, RecordFinding]>) {
    const count = before[purpose]
    if (state === 'right') counts[purpose] = 0
    // without an answer, nobody knows whether the record is there
    else if (state !== 'failed' && count !== undefined) counts[purpose] = Math.min(count + 1, lostChecksMin)
  }
  const changed = Object.keys(counts) as Purpose[]
  const isLost = (of: LostChecks, purpose: Purpose): boolean => (of[purpose] ?? 0) >= lostChecksMin
  return {
    counts,
    lost: changed.filter(one => isLost(counts, one) && !isLost(before, one)),
    back: changed.filter(one => isLost(before, one) && !isLost(counts, one)),
  }
}
