import type { EventType, OutcomeCounts, OutcomeStats, Stats } from '@posthorn/contract'
import { outcomesSummary, outcomeWords } from '../words/outcome-words.ts'
import { TwoPanelChart } from './two-panel-chart.tsx'
import { TextLink } from '../components/text-link.tsx'
import { formatCount } from '../format/numbers.ts'
import { Legend, LegendEntry } from './legend.tsx'

export interface OutcomesChartProps {
  readonly stats: Stats
  readonly outcomes: OutcomeStats
  /** Such as `the last 24 hours`. */
  readonly span: string
}

/** How much mail arrived, and what happened to the rest. */
export function OutcomesChart({ stats, outcomes: { total }, span }: OutcomesChartProps) {
  return (
    <TwoPanelChart
      title="Outcomes of emails"
      legend={<OutcomesLegend total={total} since={stats.since} />}
      stats={stats}
      summary={outcomesSummary(total, span)}
      label="Outcomes, bar by bar"
      opens="events"
      wordsOf={outcomeWords}
      upper={{
        title: 'Delivered',
        segments: [
          {
            name: 'Delivered',
            valueOf: bucket => bucket.outcomes.delivered,
            fill: 'fill-c-delivered',
            edge: 'stroke-c-delivered',
          },
        ],
      }}
      lower={{
        title: 'Other outcomes (own scale)',
        segments: [
          {
            name: 'Bounced',
            valueOf: bucket => bucket.outcomes.bounced,
            hatching: 'final',
            edge: 'stroke-c-exhausted',
          },
          {
            name: 'Failed',
            valueOf: bucket => bucket.outcomes.failed,
            fill: 'fill-c-failed',
            edge: 'stroke-c-failed',
          },
          {
            name: 'Unsubscribed',
            valueOf: bucket => bucket.outcomes.unsubscribed,
            hatching: 'wanted',
            edge: 'stroke-c-pending',
          },
        ],
      }}
    />
  )
}

/** The legend: each outcome with its number, which links to its events. */
function OutcomesLegend({ total, since }: { total: OutcomeCounts; since: string }) {
  return (
    <Legend>
      {entries.map(({ type, word, look, countOf }) => (
        <LegendEntry key={type} look={look} word={word}>
          <TextLink to="/events" search={{ type, since }}>
            {formatCount(countOf(total))}
          </TextLink>
        </LegendEntry>
      ))}
    </Legend>
  )
}

interface Entry {
  readonly type: EventType
  readonly word: string
  readonly look: string
  readonly countOf: (counts: OutcomeCounts) => number
}

const entries: readonly Entry[] = [
  { type: 'email.delivered', word: 'Delivered', look: 'bg-c-delivered', countOf: one => one.delivered },
  { type: 'email.bounced', word: 'Bounced', look: 'hatched', countOf: one => one.bounced },
  { type: 'email.failed', word: 'Failed', look: 'bg-c-failed', countOf: one => one.failed },
  { type: 'email.unsubscribed', word: 'Unsubscribed', look: 'striped', countOf: one => one.unsubscribed },
]
