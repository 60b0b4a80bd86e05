import { plainArray, quotedArray } from '../db/array-literal.ts'
import type { Queryable } from '../db/database.ts'
import { type CountedEvent, type OutcomeCount, OutcomeCounts } from './outcome-counts.ts'

/**
 * Removes the domains of these events from the statistics. The outcomes themselves still count. The caller has the lock of
 * `lockStatistics`. The domain of an event of the last seconds may be written afterwards; it stays until the retention ends.
 */
export async function removeDomains(tx: Queryable, events: readonly CountedEvent[]): Promise<void> {
  const counts = new OutcomeCounts(Number.POSITIVE_INFINITY)
  for (const event of events) counts.add(event)
  for (const count of counts.take()) await removeFrom(tx, count)
}

async function removeFrom(tx: Queryable, { accountId, minuteMs, type, reason, domains }: OutcomeCount) {
  const left = new Map(domains)
  const rows = await tx.query<{ at: Date; id: number; domains: string[]; counts: number[] }>(
    // by primary key: the widest rows have six hours
    `select at, id, domains, domain_counts as counts from outcome_stat
     where account_id = $1 and at > $2::timestamptz - interval '6 hours' and at <= $2
       and at + width_seconds * interval '1 second' > $2
       and type = $3 and reason = $4 and domains && $5::text[]
     order by at, id`,
    [accountId, new Date(minuteMs), type, reason, quotedArray([...domains.keys()])],
  )
  for (const row of rows) {
    const kept = row.domains.map((domain, n) => {
      const count = Number(row.counts[n])
      const removed = Math.min(count, left.get(domain) ?? 0)
      left.set(domain, (left.get(domain) ?? 0) - removed)
      return { domain, count: count - removed }
    })
    const named = kept.filter(({ count }) => count > 0)
    await tx.query(
      'update outcome_stat set domains = $4, domain_counts = $5 where account_id = $1 and at = $2 and id = $3',
      [
        accountId,
        row.at,
        row.id,
        quotedArray(named.map(({ domain }) => domain)),
        plainArray(named.map(({ count }) => count)),
      ],
    )
  }
}
