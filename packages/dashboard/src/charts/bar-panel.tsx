import { AxisLeft } from '@visx/axis'
import { GridRows } from '@visx/grid'
import { scaleLinear } from '@visx/scale'
import { Bar } from '@visx/shape'
import { useId } from 'react'
import { formatShort } from '../format/numbers.ts'
import { AxisLabel } from './axis-label.tsx'
import type { Bucket } from './buckets.ts'
import type { Plot } from './plot.ts'

export interface Segment {
  readonly name: string
  readonly valueOf: (bucket: Bucket) => number
  /** The colour of a complete bar, as a class. */
  readonly fill?: string
  /** A pattern in place of the colour. */
  readonly hatching?: HatchingLook
  /** Outline of the current bar, which is hollow. */
  readonly edge: string
}

export interface BarPanelProps {
  readonly title: string
  readonly plot: Plot
  readonly topPx: number
  readonly heightPx: number
  /** From the bottom up, with a gap of one pixel between segments. */
  readonly segments: readonly Segment[]
}

const titlePx = 18
const labelPx = 16
/** A letter of a title is not wider. */
const letterPx = 6
/** Even one failure in a thousand stays visible. */
const leastPx = 2

/** Bars over time on a scale that starts at 0. */
export function BarPanel({ title, plot, topPx, heightPx, segments }: BarPanelProps) {
  const { buckets, x, leftPx, rightPx, widthPx } = plot
  const id = useId()
  const sumOf = (bucket: Bucket): number =>
    segments.reduce((sum, segment) => sum + segment.valueOf(bucket), 0)
  const most = Math.max(...buckets.map(sumOf), 1)
  const y = scaleLinear<number>({ domain: [0, most], range: [topPx + heightPx, topPx + titlePx], nice: 2 })
  const last = buckets.at(-1)
  const whole = y.ticks(2).filter(tick => Number.isInteger(tick))
  // a low panel has no space for labels between
  const ticks =
    whole.length * labelPx <= heightPx - titlePx + labelPx ? whole : [whole[0] ?? 0, whole.at(-1) ?? most]
  return (
    <g>
      <defs>
        {segments.map(
          ({ name, hatching }) =>
            hatching !== undefined && <Hatching key={name} id={`${id}${name}`} look={hatching} />,
        )}
      </defs>
      <AxisLabel x={leftPx} y={topPx + 11} anchor="start">
        {title}
      </AxisLabel>
      {last?.isSoFar === true && sumOf(last) > 0 && (
        <SoFar endPx={x(last.untilMs)} plot={plot} y={topPx + 11} titlePx={title.length * letterPx} />
      )}
      <GridRows
        scale={y}
        tickValues={ticks}
        left={leftPx}
        width={Math.max(0, widthPx - leftPx - rightPx)}
        className="stroke-grid [&_line]:stroke-grid"
      />
      <AxisLeft
        scale={y}
        left={leftPx}
        tickValues={ticks}
        hideAxisLine
        hideTicks
        tickFormat={value => formatShort(Number(value))}
        tickComponent={({ y: atPx, formattedValue }) => (
          <AxisLabel x={-6} y={atPx + 4} anchor="end">
            {formattedValue}
          </AxisLabel>
        )}
      />
      {buckets.map(bucket => {
        const fromPx = x(bucket.fromMs)
        const wholePx = x(bucket.untilMs) - fromPx
        const gapPx = wholePx > 4 ? 1 : wholePx / 5
        let below = 0
        return segments.map(segment => {
          const value = segment.valueOf(bucket)
          if (value === 0) return null
          const bottomPx = y(below) - (below > 0 ? 1 : 0)
          below += value
          const tallPx = Math.max(leastPx, bottomPx - y(below))
          return (
            <Bar
              key={`${bucket.fromMs} ${segment.name}`}
              x={fromPx + (bucket.isSoFar ? 0.5 : 0)}
              y={bottomPx - tallPx}
              width={Math.max(1, wholePx - gapPx - (bucket.isSoFar ? 1 : 0))}
              height={tallPx}
              className={bucket.isSoFar ? `fill-transparent ${segment.edge}` : (segment.fill ?? '')}
              {...(!bucket.isSoFar &&
                segment.hatching !== undefined && { fill: `url(#${id}${segment.name})` })}
            />
          )
        })
      })}
    </g>
  )
}

/** Says above the last bar that its time is not over; beside the title if the bar is below it. */
function SoFar({
  endPx,
  plot,
  y,
  titlePx: wordsPx,
}: {
  endPx: number
  plot: Plot
  y: number
  titlePx: number
}) {
  const beginsPx = plot.leftPx + wordsPx
  const hasSpace = endPx > beginsPx + 48
  if (!hasSpace && beginsPx + 80 > plot.widthPx) return null
  return (
    <AxisLabel x={hasSpace ? endPx : beginsPx + 8} y={y} anchor={hasSpace ? 'end' : 'start'}>
      {hasSpace ? 'so far' : '· so far'}
    </AxisLabel>
  )
}

const looks = {
  /** 45°, for what is final: it differs from failed without colour. */
  final: { colour: 'fill-c-exhausted', angle: 45 },
  /** Level stripes, for what the recipient wanted. */
  wanted: { colour: 'fill-c-pending', angle: 90 },
} as const

type HatchingLook = keyof typeof looks

/** A hatched fill, used as `fill={url(#id)}`. */
function Hatching({ id, look }: { id: string; look: HatchingLook }) {
  const { colour, angle } = looks[look]
  return (
    <pattern id={id} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform={`rotate(${angle})`}>
      <rect width={5} height={5} className="fill-surface" />
      <rect width={3} height={5} className={colour} />
    </pattern>
  )
}
