import type { Stats } from '@posthorn/contract'
import { useId } from 'react'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { TextLink } from '../components/text-link.tsx'
import { formatCount } from '../format/numbers.ts'
import { resultWords, resultsSummary, stretchWords } from '../words/chart-words.ts'
import { BarPanel } from './bar-panel.tsx'
import { BucketChart } from './bucket-chart.tsx'
import { notDelivered, resultsOf, toBuckets } from './buckets.ts'
import { useChartScope } from './chart-scope.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { Hatching } from './hatching.tsx'
import { NotRecorded } from './not-recorded.tsx'
import { ResultsLegend } from './results-legend.tsx'
import { axisPx, TimeAxis } from './time-axis.tsx'
import { windowOf } from './window.ts'

export interface ResultsChartProps {
  readonly stats: Stats
  /** Such as `the last 24 hours`. */
  readonly span: string
  /** How many deliveries are pending now; null: unknown. */
  readonly waiting: number | null
}

const heightLook = 'h-40 wide:h-64'
/** Failures are rare and would vanish beside successes, so they have their own scale. */
const lowerShare = 0.36

/** How much was sent and when it started to fail: two aligned panels of bars. */
export function ResultsChart({ stats, span, waiting }: ResultsChartProps) {
  const { zone } = usePreferences()
  const reader = { zone, nowMs: useNowMs() }
  const hatchingId = useId()
  const scope = useChartScope()
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
          wordsOf={bars => resultWords(bars, reader)}
        >
          {(plot, heightPx) => {
            const panelsPx = heightPx - axisPx
            const upperPx = Math.round(panelsPx * (1 - lowerShare)) - 6
            return (
              <>
                <defs>
                  <Hatching id={hatchingId} />
                </defs>
                <NotRecorded plot={plot} heightPx={panelsPx} />
                <BarPanel
                  title="Delivered"
                  plot={plot}
                  topPx={0}
                  heightPx={upperPx}
                  segments={[
                    {
                      valueOf: bucket => bucket.delivered,
                      look: 'fill-c-delivered',
                      edge: 'stroke-c-delivered',
                    },
                  ]}
                />
                <BarPanel
                  title={`${formatCount(notDelivered(total))} not delivered (own scale)`}
                  plot={plot}
                  topPx={upperPx + 6}
                  heightPx={panelsPx - upperPx - 6}
                  segments={[
                    { valueOf: bucket => bucket.failed, look: 'fill-c-failed', edge: 'stroke-c-failed' },
                    {
                      valueOf: bucket => bucket.exhausted,
                      look: '',
                      edge: 'stroke-c-exhausted',
                      fill: `url(#${hatchingId})`,
                    },
                  ]}
                />
                <TimeAxis plot={plot} topPx={panelsPx} />
              </>
            )
          }}
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
              <TextLink key="time" to="/deliveries" search={{ ...scope, ...windowOf([bucket]) }}>
                {stretchWords([bucket], reader)}
                {bucket.isSoFar && ', so far'}
              </TextLink>,
              ...(bucket.isRecorded
                ? [bucket.delivered, bucket.failed, bucket.exhausted].map(count => formatCount(count))
                : ['not recorded', '—', '—']),
            ],
          }))}
        />
      }
    />
  )
}
