import type { OutcomeCounts, OutcomeStats } from '@posthorn/contract'
import type { Lookups } from '../db/database.ts'
import { complaint } from '../domain/counted-outcome.ts'
import type { EventType } from '../domain/event-type.ts'

const domainsShown = 20

export interface StatsInterval {
  readonly firstMs: number
  readonly untilMs: number
  /** The length of a point. */
  readonly stepMs: number
}

/** Reads the outcomes of an account in a time range. `at` gives those of the point that starts at a time. */
export async function readOutcomeStats(
  db: Lookups,
  accountId: string,
  interval: StatsInterval,
): Promise<{ stats: OutcomeStats; at: (ms: number) => OutcomeCounts }> {
  const all = await readCounts(db, accountId, interval)
  const rows = all.filter(row => row.slot !== null)
  const bySlot = Map.groupBy(rows, row => row.slot?.getTime())
  const total = toCounts(rows)
  return {
    stats: {
      total,
      bounced_by_category: byReason(rows, 'email.bounced'),
      failed_by_reason: byReason(rows, 'email.failed'),
      unsubscribed_by_source: byReason(rows, 'email.unsubscribed'),
      domains: toDomains(
        all.filter(row => row.domain !== null),
        total,
      ),
      recorded_since: await recordedSince(db, accountId),
    },
    at: ms => toCounts(bySlot.get(ms) ?? []),
  }
}

/** The recipients of a point, or of a domain in the whole time range. */
interface CountRow {
  slot: Date | null
  domain: string | null
  type: EventType
  reason: string
  count: number
}

/**
 * Reads the time range of the account by primary key: the counts of each point, then those of the largest domains, largest
 * first. One statement reads both, so that no domain has more than all together.
 */
async function readCounts(
  db: Lookups,
  accountId: string,
  { firstMs, untilMs, stepMs }: StatsInterval,
): Promise<CountRow[]> {
  return await db.query<CountRow>(
    `with points as (
       select date_bin($4::float8 * interval '1 millisecond', at, 'epoch') as slot, type, reason, sum(count) as n
       from outcome_stat where account_id = $1 and at >= $2 and at < $3
       group by slot, type, reason
     ), named as materialized (
       select d.domain, s.type, case when s.reason = $6 then $6 else '' end as reason, sum(d.n) as n
       from outcome_stat s cross join lateral unnest(s.domains, s.domain_counts) as d (domain, n)
       where s.account_id = $1 and s.at >= $2 and s.at < $3
       group by 1, 2, 3
     ), largest as (
       select domain, row_number() over (order by sum(n) desc, domain) as place from named group by domain
     )
     select slot, null as domain, 0 as place, type::text as type, reason, n::float8 as count from points
     union all
     select null, domain, place, type::text, reason, n::float8 from largest join named using (domain) where place <= $5
     order by place`,
    [accountId, new Date(firstMs), new Date(untilMs), stepMs, domainsShown, complaint],
  )
}

/** The time of the first row, by primary key. */
async function recordedSince(db: Lookups, accountId: string): Promise<string | null> {
  const [first] = await db.query<{ at: Date }>(
    'select at from outcome_stat where account_id = $1 order by at limit 1',
    [accountId],
  )
  return first?.at.toISOString() ?? null
}

function toCounts(rows: readonly CountRow[]): OutcomeCounts {
  const sum = (isCounted: (row: CountRow) => boolean): number =>
    rows.filter(isCounted).reduce((total, row) => total + row.count, 0)
  return {
    delivered: sum(({ type }) => type === 'email.delivered'),
    bounced: sum(({ type }) => type === 'email.bounced'),
    failed: sum(({ type }) => type === 'email.failed'),
    unsubscribed: sum(({ type }) => type === 'email.unsubscribed'),
    complaints: sum(({ type, reason }) => type === 'email.unsubscribed' && reason === complaint),
  }
}

/** Erased events have no reason. */
function byReason(rows: readonly CountRow[], wanted: EventType): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type, reason, count } of rows) {
    if (type === wanted && reason !== '') counts[reason] = (counts[reason] ?? 0) + count
  }
  return counts
}

/** The domains, then what is left of the total. */
function toDomains(rows: readonly CountRow[], total: OutcomeCounts): OutcomeStats['domains'] {
  const named = [...Map.groupBy(rows, row => row.domain)].map(([domain, own]) => ({
    domain,
    ...toCounts(own),
  }))
  const others = { ...total }
  for (const one of named) for (const field of fields) others[field] -= one[field]
  return fields.every(field => others[field] === 0) ? named : [...named, { domain: null, ...others }]
}

const fields = ['delivered', 'bounced', 'failed', 'unsubscribed', 'complaints'] as const
