import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { chosenBars } from './bar-selection.ts'
import type { Bucket } from './buckets.ts'
import { bucketAt, type Plot, plotOf } from './plot.ts'
import { axisPx } from './time-axis.tsx'
import { useBarWalk } from './use-bar-walk.ts'
import { WindowLink } from './window-link.tsx'
import { type WindowList, useOpenWindow } from './window.ts'

export interface BucketChartProps {
  readonly buckets: readonly Bucket[]
  /** Classes that reserve the height before data arrives: `h-40 wide:h-64`. */
  readonly heightLook: string
  readonly rightPx: number
  /** A sentence that describes the chart; it is the accessible name. */
  readonly summary: string
  /** The name of the bars for keyboard users: `Results, bar by bar`. */
  readonly label: string
  /** The list that has the rows behind a bar. */
  readonly opens: WindowList
  /** A sentence about the selected bars. */
  readonly wordsOf: (bars: readonly Bucket[]) => string
  readonly children: (plot: Plot, heightPx: number) => ReactNode
}

const leftPx = 44

/**
 * A chart over time with selectable bars. Arrow keys move, Enter opens the rows behind a bar, dragging or
 * Shift + arrows select several. A finger first reads a bar, then opens it with the link that appears.
 */
export function BucketChart(props: BucketChartProps) {
  const { buckets, heightLook, rightPx, summary, label, opens, wordsOf, children } = props
  const [ref, size] = useSize<HTMLDivElement>()
  const { widthPx, heightPx } = size ?? { widthPx: 0, heightPx: 0 }
  const plot = plotOf(buckets, widthPx, { leftPx, rightPx })
  const openWindow = useOpenWindow(opens)
  const { selection, isTouched, handlers } = useBarWalk({
    count: buckets.length,
    barAt: px => bucketAt(plot, px),
    onOpen: wanted => openWindow(chosenBars(buckets, wanted)),
  })
  const chosen = selection === null ? [] : chosenBars(buckets, selection)
  const words = chosen.length === 0 ? null : wordsOf(chosen)
  const newest = Math.max(0, buckets.length - 1)
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
            <Chosen bars={chosen} plot={plot} heightPx={heightPx - axisPx} />
            {children(plot, heightPx)}
          </svg>
        )}
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={newest}
          aria-valuenow={selection?.at ?? newest}
          aria-valuetext={words ?? summary}
          className="absolute inset-0 touch-pan-y"
          {...handlers}
        />
      </div>
      <p className="mt-1 flex min-h-5 flex-wrap gap-x-2 text-label text-ink-2">
        {words ?? (
          <span className="text-ink-3">
            <span className="pointer-coarse:hidden">
              Drag, or use Shift + arrows, to filter to this window.
            </span>
            <span className="hidden pointer-coarse:inline">Touch a bar to read it.</span>
          </span>
        )}
        {isTouched && chosen.length > 0 && (
          <WindowLink opens={opens} bars={chosen}>
            Show these {opens}
          </WindowLink>
        )}
      </p>
    </div>
  )
}

function Chosen({ bars, plot, heightPx }: { bars: readonly Bucket[]; plot: Plot; heightPx: number }) {
  const first = bars[0]
  const last = bars.at(-1)
  if (first === undefined || last === undefined) return null
  const fromPx = plot.x(first.fromMs)
  const widthPx = plot.x(last.untilMs) - fromPx
  return (
    <rect x={fromPx} y={0} width={widthPx} height={heightPx} className="fill-selected stroke-brass-edge" />
  )
}

interface SizePx {
  readonly widthPx: number
  readonly heightPx: number
}

/** The current size of an element, updated as it changes; null before it is known. */
function useSize<E extends HTMLElement>(): [RefObject<E | null>, SizePx | null] {
  const ref = useRef<E>(null)
  const [size, setSize] = useState<SizePx | null>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const read = (): void => setSize({ widthPx: element.clientWidth, heightPx: element.clientHeight })
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, size]
}
