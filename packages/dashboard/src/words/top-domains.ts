import type { OutcomeCounts, OutcomeStats } from '@posthorn/contract'

type DomainCounts = OutcomeStats['domains'][number]

/** A domain, or all the others as one line, with its outcomes now and before. */
export interface TopDomain {
  /** Null: all others. */
  readonly domain: string | null
  readonly counts: OutcomeCounts
  /** Undefined: not known for this domain. */
  readonly earlier: OutcomeCounts | undefined
}

/** The largest domains, then all others together. */
export function topDomains(
  domains: readonly DomainCounts[],
  earlier: readonly DomainCounts[],
  most: number,
): TopDomain[] {
  const named = domains.filter(({ domain }) => domain !== null)
  const shown = named.slice(0, most)
  const others = domains.filter(one => !shown.includes(one))
  const lines = shown.map(one => ({
    domain: one.domain,
    counts: one,
    earlier: earlier.find(({ domain }) => domain === one.domain),
  }))
  return others.length === 0 ? lines : [...lines, { domain: null, counts: sumOf(others), earlier: undefined }]
}

function sumOf(all: readonly OutcomeCounts[]): OutcomeCounts {
  const sum = (of: keyof OutcomeCounts): number => all.reduce((total, one) => total + one[of], 0)
  return {
    delivered: sum('delivered'),
    bounced: sum('bounced'),
    failed: sum('failed'),
    unsubscribed: sum('unsubscribed'),
    complaints: sum('complaints'),
  }
}
