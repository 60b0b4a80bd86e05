import type { Stats } from '@posthorn/contract'
import type { ReactNode } from 'react'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { formatCount } from '../format/numbers.ts'
import { stretchWords } from '../words/chart-words.ts'
import type { Reader } from '../words/health-words.ts'
import { BarPanel, type Segment } from './bar-panel.tsx'
import { BucketChart } from './bucket-chart.tsx'
import { type Bucket, toBuckets } from './buckets.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import type { Plot } from './plot.ts'
import { axisPx, TimeAxis } from './time-axis.tsx'
import type { WindowList } from './window.ts'
import { WindowLink } from './window-link.tsx'

export interface TwoPanelChartProps {
  readonly title: string
  readonly legend: ReactNode
  readonly stats: Stats
  /** A sentence that describes the chart. */
  readonly summary: string
  /** The name of the bars for keyboard users: `Results, bar by bar`. */
  readonly label: string
  /** The list that has the rows behind a bar. */
  readonly opens: WindowList
  /** A sentence about the selected bars. */
  readonly wordsOf: (bars: readonly Bucket[], reader: Reader) => string
  /** What is as wanted. */
  readonly upper: Panel
  /** What is not. It is rare and would vanish beside the rest, so it has its own scale. */
  readonly lower: Panel
}

/** The bars of one panel, from the bottom up. */
interface Panel {
  readonly title: string
  readonly segments: readonly Segment[]
}

const heightLook = 'h-40 wide:h-64'

/** Counts over time: two aligned panels of bars, or a table with a column for each segment. */
export function TwoPanelChart(props: TwoPanelChartProps) {
  const { title, legend, stats, summary, label, opens, wordsOf, upper, lower } = props
  const { zone } = usePreferences()
  const reader = { zone, nowMs: useNowMs() }
  const buckets = toBuckets(stats)
  const segments = [...upper.segments, ...lower.segments]
  return (
    <ChartFrame
      title={title}
      legend={legend}
      picture={
        <BucketChart
          buckets={buckets}
          heightLook={heightLook}
          rightPx={4}
          summary={summary}
          label={label}
          opens={opens}
          wordsOf={bars => wordsOf(bars, reader)}
        >
          {(plot, heightPx) => <TwoPanels plot={plot} heightPx={heightPx} upper={upper} lower={lower} />}
        </BucketChart>
      }
      table={
        <ChartTable
          label={title}
          heightLook={heightLook}
          columns={['Time', ...segments.map(segment => segment.name)]}
          rows={() =>
            buckets.toReversed().map(bucket => ({
              key: String(bucket.fromMs),
              cells: [
                <WindowLink key="time" opens={opens} bars={[bucket]}>
                  {stretchWords([bucket], reader)}
                  {bucket.isSoFar && ', so far'}
                </WindowLink>,
                ...segments.map(segment => formatCount(segment.valueOf(bucket))),
              ],
            }))
          }
        />
      }
    />
  )
}

interface TwoPanelsProps extends Pick<TwoPanelChartProps, 'upper' | 'lower'> {
  readonly plot: Plot
  readonly heightPx: number
}

const lowerShare = 0.36

function TwoPanels({ plot, heightPx, upper, lower }: TwoPanelsProps) {
  const panelsPx = heightPx - axisPx
  const upperPx = Math.round(panelsPx * (1 - lowerShare)) - 6
  return (
    <>
      <BarPanel {...upper} plot={plot} topPx={0} heightPx={upperPx} />
      <BarPanel {...lower} plot={plot} topPx={upperPx + 6} heightPx={panelsPx - upperPx - 6} />
      <TimeAxis plot={plot} topPx={panelsPx} />
    </>
  )
}
