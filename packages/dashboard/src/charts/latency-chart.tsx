import type { Stats } from '@posthorn/contract'
import { AxisLeft } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { scaleLog } from '@visx/scale'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { TextLink } from '../components/text-link.tsx'
import { formatDuration } from '../format/numbers.ts'
import { latencyWords, latencySummary, stretchWords } from '../words/chart-words.ts'
import { AxisLabel } from './axis-label.tsx'
import { BucketChart } from './bucket-chart.tsx'
import { toBuckets } from './buckets.ts'
import { ChartFrame } from './chart-frame.tsx'
import { ChartTable } from './chart-table.tsx'
import { LatencyLines } from './latency-lines.tsx'
import type { Plot } from './plot.ts'
import { axisPx, TimeAxis } from './time-axis.tsx'
import { windowOf } from './window.ts'

const heightLook = 'h-40 wide:h-52'
const leastMs = 1
/** The default time limit of an attempt; the operator can change it. */
const deadlineMs = 15_000
const ticksMs = [1, 10, 100, 1_000]

/** How fast receivers answer: p50, p95 and p99 on a logarithmic scale. */
export function LatencyChart({ stats, span }: { stats: Stats; span: string }) {
  const { zone } = usePreferences()
  const reader = { zone, nowMs: useNowMs() }
  const buckets = toBuckets(stats)
  return (
    <ChartFrame
      title="Answer times"
      picture={
        <BucketChart
          buckets={buckets}
          heightLook={heightLook}
          rightPx={30}
          summary={latencySummary(stats.total, span)}
          label="Answer times, bar by bar"
          opens="deliveries"
          wordsOf={bars => latencyWords(bars, reader)}
        >
          {(plot, heightPx) => <Lines plot={plot} heightPx={heightPx} />}
        </BucketChart>
      }
      table={
        <ChartTable
          label="Answer times"
          heightLook={heightLook}
          columns={['Time', 'p50', 'p95', 'p99']}
          rows={() =>
            buckets.toReversed().map(bucket => ({
              key: String(bucket.fromMs),
              cells: [
                <TextLink key="time" to="/deliveries" search={windowOf([bucket])}>
                  {stretchWords([bucket], reader)}
                </TextLink>,
                ...[bucket.p50Ms, bucket.p95Ms, bucket.p99Ms].map(ms => formatDuration(ms)),
              ],
            }))
          }
        />
      }
    />
  )
}

function Lines({ plot, heightPx }: { plot: Plot; heightPx: number }) {
  const bottomPx = heightPx - axisPx
  const y = scaleLog<number>({ domain: [leastMs, deadlineMs], range: [bottomPx, 16], clamp: true })
  const widthPx = Math.max(0, plot.widthPx - plot.leftPx - plot.rightPx)
  return (
    <>
      <GridRows
        scale={y}
        tickValues={ticksMs}
        left={plot.leftPx}
        width={widthPx}
        className="[&_line]:stroke-grid"
      />
      <AxisLeft
        scale={y}
        left={plot.leftPx}
        tickValues={[...ticksMs, deadlineMs]}
        hideAxisLine
        hideTicks
        tickFormat={value => formatDuration(Number(value))}
        tickComponent={({ y: atPx, formattedValue }) => (
          <AxisLabel x={-4} y={atPx + 4} anchor="end">
            {formattedValue}
          </AxisLabel>
        )}
      />
      <line
        x1={plot.leftPx}
        x2={plot.leftPx + widthPx}
        y1={y(deadlineMs)}
        y2={y(deadlineMs)}
        strokeDasharray="6 3"
        className="stroke-ink-3"
      />
      <AxisLabel x={plot.leftPx + 2} y={y(deadlineMs) - 4} anchor="start">
        deadline
      </AxisLabel>
      <LatencyLines plot={plot} y={ms => y(Math.max(leastMs, ms))} bottomPx={bottomPx} />
      <TimeAxis plot={plot} topPx={bottomPx} />
    </>
  )
}
