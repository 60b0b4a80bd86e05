import type { OutcomeStats, Stats } from '@posthorn/contract'
import { useId } from 'react'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { formatCount } from '../format/numbers.ts'
import { stretchWords } from '../words/chart-words.ts'
import { outcomesSummary, outcomeWords } from '../words/outcome-words.ts'
import { BucketChart } from './bucket-chart.tsx'
import { toBuckets } from './buckets.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { Hatching } from './hatching.tsx'
import { OutcomesLegend } from './outcomes-legend.tsx'
import { TwoPanels } from './two-panels.tsx'
import { WindowLink } from './window-link.tsx'

export interface OutcomesChartProps {
  readonly stats: Stats
  readonly outcomes: OutcomeStats
  /** Such as `the last 24 hours`. */
  readonly span: string
}

const heightLook = 'h-40 wide:h-64'

/** How much mail arrived, and what happened to the rest: two aligned panels of bars. */
export function OutcomesChart({ stats, outcomes: { total }, span }: OutcomesChartProps) {
  const { zone } = usePreferences()
  const reader = { zone, nowMs: useNowMs() }
  const bouncedId = useId()
  const unsubscribedId = useId()
  const buckets = toBuckets(stats)
  return (
    <ChartFrame
      title="Outcomes of emails"
      legend={<OutcomesLegend total={total} since={stats.since} />}
      picture={
        <BucketChart
          buckets={buckets}
          heightLook={heightLook}
          rightPx={4}
          summary={outcomesSummary(total, span)}
          label="Outcomes, bar by bar"
          opens="events"
          wordsOf={bars => outcomeWords(bars, reader)}
        >
          {(plot, heightPx) => (
            <>
              <defs>
                <Hatching id={bouncedId} />
                <Hatching id={unsubscribedId} look="wanted" />
              </defs>
              <TwoPanels
                plot={plot}
                heightPx={heightPx}
                upper={{
                  title: 'Delivered',
                  segments: [
                    {
                      valueOf: bucket => bucket.outcomes.delivered,
                      look: 'fill-c-delivered',
                      edge: 'stroke-c-delivered',
                    },
                  ],
                }}
                lower={{
                  title: 'Other outcomes (own scale)',
                  segments: [
                    {
                      valueOf: bucket => bucket.outcomes.bounced,
                      look: '',
                      edge: 'stroke-c-exhausted',
                      fill: `url(#${bouncedId})`,
                    },
                    {
                      valueOf: bucket => bucket.outcomes.failed,
                      look: 'fill-c-failed',
                      edge: 'stroke-c-failed',
                    },
                    {
                      valueOf: bucket => bucket.outcomes.unsubscribed,
                      look: '',
                      edge: 'stroke-c-pending',
                      fill: `url(#${unsubscribedId})`,
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
          label="Outcomes of emails"
          heightLook={heightLook}
          columns={['Time', 'Delivered', 'Bounced', 'Failed', 'Unsubscribed']}
          rows={buckets.toReversed().map(bucket => {
            const { delivered, bounced, failed, unsubscribed } = bucket.outcomes
            return {
              key: String(bucket.fromMs),
              cells: [
                <WindowLink key="time" opens="events" bars={[bucket]}>
                  {stretchWords([bucket], reader)}
                  {bucket.isSoFar && ', so far'}
                </WindowLink>,
                ...[delivered, bounced, failed, unsubscribed].map(count => formatCount(count)),
              ],
            }
          })}
        />
      }
    />
  )
}
