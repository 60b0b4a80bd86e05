import type { Stats } from '@posthorn/contract'
import { useId } from 'react'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { formatCount } from '../format/numbers.ts'
import { resultWords, resultsSummary, stretchWords } from '../words/chart-words.ts'
import { BucketChart } from './bucket-chart.tsx'
import { notDelivered, resultsOf, toBuckets } from './buckets.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { Hatching } from './hatching.tsx'
import { ResultsLegend } from './results-legend.tsx'
import { TwoPanels } from './two-panels.tsx'
import { WindowLink } from './window-link.tsx'

export interface ResultsChartProps {
  readonly stats: Stats
  /** Such as `the last 24 hours`. */
  readonly span: string
  /** How many deliveries are pending now; null: unknown. */
  readonly waiting: number | null
}

const heightLook = 'h-40 wide:h-64'

/** How much was sent and when it started to fail: two aligned panels of bars. */
export function ResultsChart({ stats, span, waiting }: ResultsChartProps) {
  const { zone } = usePreferences()
  const reader = { zone, nowMs: useNowMs() }
  const hatchingId = useId()
  const buckets = toBuckets(stats)
  const total = resultsOf(stats.total)
  return (
    <ChartFrame
      title="Deliveries by result"
      legend={<ResultsLegend total={total} waiting={waiting} since={stats.since} />}
      picture={
        <BucketChart
          buckets={buckets}
          heightLook={heightLook}
          rightPx={4}
          summary={resultsSummary(total, span)}
          label="Results, bar by bar"
          opens="deliveries"
          wordsOf={bars => resultWords(bars, reader)}
        >
          {(plot, heightPx) => (
            <>
              <defs>
                <Hatching id={hatchingId} />
              </defs>
              <TwoPanels
                plot={plot}
                heightPx={heightPx}
                upper={{
                  title: 'Delivered',
                  segments: [
                    {
                      valueOf: bucket => bucket.delivered,
                      look: 'fill-c-delivered',
                      edge: 'stroke-c-delivered',
                    },
                  ],
                }}
                lower={{
                  title: `${formatCount(notDelivered(total))} not delivered (own scale)`,
                  segments: [
                    { valueOf: bucket => bucket.failed, look: 'fill-c-failed', edge: 'stroke-c-failed' },
                    {
                      valueOf: bucket => bucket.exhausted,
                      look: '',
                      edge: 'stroke-c-exhausted',
                      fill: `url(#${hatchingId})`,
                    },
                  ],
                }}
              />
            </>
          )}
        </BucketChart>
      }
      table={
        <ChartTable
          label="Deliveries by result"
          heightLook={heightLook}
          columns={['Time', 'Delivered', 'Failed', 'Exhausted']}
          rows={buckets.toReversed().map(bucket => ({
            key: String(bucket.fromMs),
            cells: [
              <WindowLink key="time" opens="deliveries" bars={[bucket]}>
                {stretchWords([bucket], reader)}
                {bucket.isSoFar && ', so far'}
              </WindowLink>,
              ...[bucket.delivered, bucket.failed, bucket.exhausted].map(count => formatCount(count)),
            ],
          }))}
        />
      }
    />
  )
}
