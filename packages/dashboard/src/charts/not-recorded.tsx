import { AxisLabel } from './axis-label.tsx'
import type { Plot } from './plot.ts'

/** The grey band for a time without records, which is not the same as zero. */
export function NotRecorded({ plot, heightPx }: { plot: Plot; heightPx: number }) {
  const { buckets, x } = plot
  const first = buckets[0]
  const last = buckets.findLast(bucket => !bucket.isRecorded)
  if (first === undefined || last === undefined) return null
  const fromPx = x(first.fromMs)
  const widthPx = x(last.untilMs) - fromPx
  return (
    <g>
      <rect x={fromPx} y={0} width={widthPx} height={heightPx} className="fill-sunken" />
      {widthPx > 90 && (
        <AxisLabel x={fromPx + widthPx / 2} y={heightPx / 2} anchor="middle">
          not recorded
        </AxisLabel>
      )}
    </g>
  )
}
