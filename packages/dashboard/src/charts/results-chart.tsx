import type { Stats } from '@posthorn/contract'
import { formatCount } from '../format/numbers.ts'
import { resultWords, resultsSummary } from '../words/chart-words.ts'
import { notDelivered, resultsOf } from './buckets.ts'
import { ResultsLegend } from './results-legend.tsx'
import { TwoPanelChart } from './two-panel-chart.tsx'

export interface ResultsChartProps {
  readonly stats: Stats
  /** Such as `the last 24 hours`. */
  readonly span: string
  /** How many deliveries are pending now; null: unknown. */
  readonly waiting: number | null
}

/** How much was sent and when it started to fail. */
export function ResultsChart({ stats, span, waiting }: ResultsChartProps) {
  const total = resultsOf(stats.total)
  return (
    <TwoPanelChart
      title="Deliveries by result"
      legend={<ResultsLegend total={total} waiting={waiting} since={stats.since} />}
      stats={stats}
      summary={resultsSummary(total, span)}
      label="Results, bar by bar"
      opens="deliveries"
      wordsOf={resultWords}
      upper={{
        title: 'Delivered',
        segments: [
          {
            name: 'Delivered',
            valueOf: bucket => bucket.delivered,
            fill: 'fill-c-delivered',
            edge: 'stroke-c-delivered',
          },
        ],
      }}
      lower={{
        title: `${formatCount(notDelivered(total))} not delivered (own scale)`,
        segments: [
          {
            name: 'Failed',
            valueOf: bucket => bucket.failed,
            fill: 'fill-c-failed',
            edge: 'stroke-c-failed',
          },
          {
            name: 'Exhausted',
            valueOf: bucket => bucket.exhausted,
            hatching: 'final',
            edge: 'stroke-c-exhausted',
          },
        ],
      }}
    />
  )
}
