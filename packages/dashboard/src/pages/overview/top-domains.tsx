import type { OutcomeCounts, OutcomeStats, RateThresholds } from '@posthorn/contract'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { RateBadge } from '../../components/rate-badge.tsx'
import { countOf, formatCount } from '../../format/numbers.ts'
import {
  beforeWords,
  bounceRate,
  complaintRate,
  type OutcomeRate,
  ratePartsWords,
  rateState,
  rateWords,
  settledEmails,
} from '../../words/outcome-rates.ts'
import { type TopDomain, topDomains } from '../../words/top-domains.ts'

export interface TopDomainsProps {
  readonly outcomes: OutcomeStats
  readonly earlier: OutcomeStats | null | undefined
  readonly thresholds: RateThresholds
}

const shownFirst = 5

/** The domains with the most emails and their rates, then all others in one line. */
export function TopDomains({ outcomes, earlier, thresholds }: TopDomainsProps) {
  const [isWhole, setIsWhole] = useState(false)
  const named = outcomes.domains.filter(({ domain }) => domain !== null).length
  const rows = topDomains(outcomes.domains, earlier?.domains ?? [], isWhole ? named : shownFirst)
  return (
    <section aria-labelledby="top-domains" className="min-w-0">
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-3">
        <h2 id="top-domains">Recipients by domain</h2>
      </div>
      {rows.length === 0 ? (
        <p className="text-ink-2">No email had an outcome in this time.</p>
      ) : (
        <Rows rows={rows} thresholds={thresholds} />
      )}
      {named > shownFirst && (
        <Button kind="quiet" onClick={() => setIsWhole(!isWhole)} className="mt-1 -ml-3">
          {isWhole ? `Show the largest ${shownFirst}` : `Show all ${formatCount(named)}`}
        </Button>
      )}
    </section>
  )
}

function Rows({ rows, thresholds }: { rows: readonly TopDomain[]; thresholds: RateThresholds }) {
  return (
    <table aria-labelledby="top-domains" className="w-full table-fixed border-collapse text-left">
      <thead className="text-label text-ink-3">
        <tr>
          <th scope="col" className="py-1.5 pr-2 font-normal">
            Domain
          </th>
          <th scope="col" className="py-1.5 pl-2 text-right font-normal max-wide:w-[38%]">
            Bounce rate
          </th>
          <th scope="col" className="py-1.5 pl-2 text-right font-normal">
            Complaint rate
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ domain, counts, earlier }) => (
          <tr key={domain ?? ''} className="border-t border-line align-top">
            <th scope="row" className="py-2 pr-2 font-normal">
              <bdi className="block truncate" title={domain ?? 'All others'}>
                {domain ?? 'All others'}
              </bdi>
              <span className="block text-label text-ink-3">
                {countOf(settledEmails(counts), 'email', 'emails')}
              </span>
            </th>
            <RateCell counts={counts} earlier={earlier} rateOf={bounceRate} limits={thresholds.bounce_rate} />
            <RateCell
              counts={counts}
              earlier={earlier}
              rateOf={complaintRate}
              limits={thresholds.complaint_rate}
            />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface RateCellProps {
  readonly counts: OutcomeCounts
  readonly earlier: OutcomeCounts | undefined
  readonly rateOf: (counts: OutcomeCounts) => OutcomeRate
  readonly limits: RateThresholds['bounce_rate']
}

function RateCell({ counts, earlier, rateOf, limits }: RateCellProps) {
  const rate = rateOf(counts)
  const state = rateState(rate, limits)
  const before = beforeWords(earlier, rateOf)
  return (
    <td className="py-2 pl-2 text-right">
      <div className="flex flex-wrap items-center justify-end gap-x-2">
        {state !== null && state !== 'good' && <RateBadge state={state} />}
        {rateWords(rate)}
      </div>
      <div className="text-label text-ink-3">
        {ratePartsWords(rate)}
        {before !== '' && <span className="block">{before}</span>}
      </div>
    </td>
  )
}
