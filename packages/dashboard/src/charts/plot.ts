import { scaleLinear } from '@visx/scale'
import type { Bucket } from './buckets.ts'

/** The geometry of a chart over time, in pixels. */
export interface Plot {
  readonly widthPx: number
  readonly leftPx: number
  readonly rightPx: number
  readonly buckets: readonly Bucket[]
  /** The times at both edges. While there are only a few bars, the axis begins before the first one. */
  readonly fromMs: number
  readonly untilMs: number
  /** Converts milliseconds since 1970 to pixels from the left. */
  readonly x: (ms: number) => number
}

/** Fewer bars would be as wide as a hand. */
const barsLeast = 24

export function plotOf(
  buckets: readonly Bucket[],
  widthPx: number,
  { leftPx, rightPx }: { leftPx: number; rightPx: number },
): Plot {
  const firstMs = buckets[0]?.fromMs ?? 0
  const stepMs = (buckets[0]?.untilMs ?? 1) - firstMs
  const untilMs = buckets.at(-1)?.untilMs ?? 1
  const fromMs = Math.min(firstMs, untilMs - barsLeast * stepMs)
  const x = scaleLinear<number>({
    domain: [fromMs, untilMs],
    range: [leftPx, Math.max(leftPx, widthPx - rightPx)],
  })
  return { widthPx, leftPx, rightPx, buckets, fromMs, untilMs, x }
}

/** The bar at a position, or the nearest one. */
export function bucketAt({ buckets, x }: Plot, px: number): number {
  const after = buckets.findIndex(({ untilMs }) => x(untilMs) > px)
  return after === -1 ? Math.max(0, buckets.length - 1) : after
}
