import { type ReactNode, useState } from 'react'
import { TextLink } from '../components/text-link.tsx'
import { type BarSelection, chosenBars, moveSelection } from './bar-selection.ts'
import type { Bucket } from './buckets.ts'
import { type Plot, bucketAt, plotOf } from './plot.ts'
import { useSize } from './use-size.ts'

export interface BucketChartProps {
  readonly buckets: readonly Bucket[]
  /** Keeps the height before there is anything to see: `h-40 wide:h-64`. */
  readonly heightLook: string
  readonly rightPx: number
  /** What the picture shows, in a sentence: its name. */
  readonly summary: string
  /** What one walks along, such as `Results, bar by bar`. */
  readonly label: string
  readonly wordsOf: (first: Bucket, last: Bucket) => string
  readonly filterOf: (first: Bucket, last: Bucket) => { since: string; until?: string }
  readonly onOpen: (first: Bucket, last: Bucket) => void
  readonly children: (plot: Plot, heightPx: number) => ReactNode
}

const leftPx = 44

/**
 * A picture over time that one can walk along: arrows move bar by bar, Enter opens what is behind a bar, dragging or
 * Shift + arrows choose several. A finger reads a bar first and opens it by the link that then appears.
 */
export function BucketChart(props: BucketChartProps) {
  const { buckets, heightLook, rightPx, summary, label, wordsOf, filterOf, onOpen, children } = props
  const [ref, size] = useSize<HTMLDivElement>()
  const [selection, setSelection] = useState<BarSelection | null>(null)
  const [isTouched, setIsTouched] = useState(false)
  const { widthPx, heightPx } = size ?? { widthPx: 0, heightPx: 0 }
  const plot = plotOf(buckets, widthPx, { leftPx, rightPx })
  const chosen = selection === null ? null : chosenBars(buckets, selection)
  const words = chosen === null ? null : wordsOf(chosen.first, chosen.last)
  const placeOf = (event: React.PointerEvent<HTMLElement>): number =>
    bucketAt(plot, event.clientX - event.currentTarget.getBoundingClientRect().left)
  return (
    <div>
      <div ref={ref} className={`relative ${heightLook}`}>
        {size !== null && (
          <svg
            role="img"
            aria-label={summary}
            width={widthPx}
            height={heightPx}
            className="block overflow-visible"
          >
            {chosen !== null && (
              <rect
                x={plot.x(chosen.first.fromMs)}
                y={0}
                width={plot.x(chosen.last.untilMs) - plot.x(chosen.first.fromMs)}
                height={heightPx - 24}
                className="fill-selected stroke-brass-edge"
              />
            )}
            {children(plot, heightPx)}
          </svg>
        )}
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, buckets.length - 1)}
          aria-valuenow={selection?.at ?? Math.max(0, buckets.length - 1)}
          aria-valuetext={words ?? summary}
          className="absolute inset-0 touch-pan-y"
          onKeyDown={event => {
            if (event.ctrlKey || event.metaKey || event.altKey) return
            if (event.key === 'Escape') return setSelection(null)
            if (event.key === 'Enter' && chosen !== null) return onOpen(chosen.first, chosen.last)
            const moved = moveSelection(selection, event, buckets.length)
            if (moved === null) return
            event.preventDefault()
            setIsTouched(false)
            setSelection(moved)
          }}
          onPointerDown={event => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            const at = placeOf(event)
            setIsTouched(event.pointerType !== 'mouse')
            setSelection({ at, anchor: at })
          }}
          onPointerMove={event => {
            const at = placeOf(event)
            const isDragging = event.currentTarget.hasPointerCapture(event.pointerId)
            if (isDragging && selection !== null) setSelection({ ...selection, at })
            else if (event.pointerType === 'mouse') setSelection({ at, anchor: at })
          }}
          onPointerUp={event => {
            const wasDragging = event.currentTarget.hasPointerCapture(event.pointerId)
            if (wasDragging && event.pointerType === 'mouse' && chosen !== null)
              onOpen(chosen.first, chosen.last)
          }}
          onPointerLeave={event => {
            if (event.pointerType === 'mouse') setSelection(null)
          }}
        />
      </div>
      <p className="mt-1 flex min-h-5 flex-wrap gap-x-2 text-label text-ink-2">
        {words ?? <span className="text-ink-3">Drag, or Shift + arrows: filter to this window.</span>}
        {isTouched && chosen !== null && (
          <TextLink to="/deliveries" search={filterOf(chosen.first, chosen.last)}>
            Show these deliveries
          </TextLink>
        )}
      </p>
    </div>
  )
}
