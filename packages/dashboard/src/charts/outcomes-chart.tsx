import type { OutcomeStats, Stats } from '@posthorn/contract'
import { outcomesSummary, outcomeWords } from '../words/outcome-words.ts'
import { OutcomesLegend } from './outcomes-legend.tsx'
import { TwoPanelChart } from './two-panel-chart.tsx'

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
