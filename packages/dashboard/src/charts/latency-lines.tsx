import { LinePath } from '@visx/shape'
import { AxisLabel } from './axis-label.tsx'
import type { Bucket } from './buckets.ts'
import { apartPx } from './labels-apart.ts'
import type { Plot } from './plot.ts'

interface Line {
  readonly name: string
  readonly valueOf: (bucket: Bucket) => number | null
  readonly look: string
  readonly dashes?: string
}

const lines: readonly Line[] = [
  { name: 'p50', valueOf: bucket => bucket.p50Ms, look: 'stroke-ink' },
  { name: 'p95', valueOf: bucket => bucket.p95Ms, look: 'stroke-ink-2', dashes: '5 3' },
  { name: 'p99', valueOf: bucket => bucket.p99Ms, look: 'stroke-ink-3', dashes: '1.5 2.5' },
]

const labelPx = 12

export interface LatencyLinesProps {
  readonly plot: Plot
  readonly y: (ms: number) => number
  readonly bottomPx: number
}

/** p50 solid, p95 dashed, p99 dotted, each labelled at its end. Without answers there is no line. */
export function LatencyLines({ plot, y, bottomPx }: LatencyLinesProps) {
  const { buckets, x } = plot
  const middle = (bucket: Bucket): number => x((bucket.fromMs + bucket.untilMs) / 2)
  const last = buckets.findLast(bucket => bucket.p50Ms !== null)
  if (last === undefined) return null
  const labelsPx = apartPx(
    lines.map(line => y(line.valueOf(last) ?? 1)),
    { gapPx: labelPx, mostPx: bottomPx },
  )
  return lines.map(({ name, valueOf, look, dashes }, place) => (
    <g key={name}>
      <LinePath
        data={[...buckets]}
        defined={bucket => valueOf(bucket) !== null}
        x={middle}
        y={bucket => y(valueOf(bucket) ?? 1)}
        strokeWidth={1.75}
        className={`${look} fill-transparent`}
        {...(dashes !== undefined && { strokeDasharray: dashes })}
      />
      {buckets
        .filter((_, at) => isAlone(buckets, at))
        .map(bucket => (
          <circle
            key={bucket.fromMs}
            cx={middle(bucket)}
            cy={y(valueOf(bucket) ?? 1)}
            r={1.75}
            className={`${look} fill-surface`}
          />
        ))}
      <AxisLabel x={middle(last) + 5} y={(labelsPx[place] ?? 0) + 4} anchor="start">
        {name}
      </AxisLabel>
    </g>
  ))
}

/** A line needs two adjacent bars; a single one is drawn as a dot. */
function isAlone(buckets: readonly Bucket[], at: number): boolean {
  const isKnown = (place: number): boolean => typeof buckets[place]?.p50Ms === 'number'
  return isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1)
}
