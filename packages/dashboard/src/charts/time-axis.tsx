import { AxisBottom } from '@visx/axis'
import { scaleLinear } from '@visx/scale'
import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { formatClock, formatDay } from '../format/times.ts'
import { AxisLabel } from './axis-label.tsx'
import type { Plot } from './plot.ts'
import { zoneTicks } from './zone-ticks.ts'

/** The height of the axis. */
export const axisPx = 24

const labelPx = 64

/** Time labels below a chart, in the reader's zone; a new day shows its date. */
export function TimeAxis({ plot, topPx }: { plot: Plot; topPx: number }) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const { widthPx, leftPx, rightPx, fromMs, untilMs } = plot
  const range: [number, number] = [leftPx, widthPx - rightPx]
  const labelsMax = Math.max(1, Math.floor((widthPx - leftPx - rightPx) / labelPx))
  const ticks = zoneTicks(fromMs, untilMs, zone, Math.min(labelsMax, 12))
  const isDay = new Set(ticks.flatMap(tick => (tick.isDay ? [tick.atMs] : [])))
  return (
    <AxisBottom
      scale={scaleLinear<number>({ domain: [fromMs, untilMs], range })}
      top={topPx}
      tickValues={ticks.map(tick => tick.atMs)}
      tickFormat={value => {
        const iso = new Date(Number(value)).toISOString()
        return isDay.has(Number(value)) ? formatDay(iso, zone, nowMs) : formatClock(iso, zone)
      }}
      tickLength={4}
      axisLineClassName="stroke-control"
      tickLineProps={{ className: 'stroke-control' }}
      tickComponent={({ x, y, formattedValue }) => (
        // keep the label within the chart
        <AxisLabel x={Math.min(widthPx - 20, Math.max(20, x))} y={y + 9} anchor="middle">
          {formattedValue}
        </AxisLabel>
      )}
    />
  )
}
