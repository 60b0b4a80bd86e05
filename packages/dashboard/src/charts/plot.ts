import { scaleLinear } from '@visx/scale'
import type { Bucket } from './buckets.ts'

/** The geometry of a chart over time, in pixels. */
export interface Plot {
  readonly widthPx: number
  readonly leftPx: number
  readonly rightPx: number
  readonly buckets: readonly Bucket[]
  /** Converts milliseconds since 1970 to pixels from the left. */
  readonly x: (ms: number) => number
}

export function plotOf(
  buckets: readonly Bucket[],
  widthPx: number,
  { leftPx, rightPx }: { leftPx: number; rightPx: number },
): Plot {
  const fromMs = buckets[0]?.fromMs ?? 0
  const untilMs = buckets.at(-1)?.untilMs ?? 1
  const x = scaleLinear<number>({
    domain: [fromMs, untilMs],
    range: [leftPx, Math.max(leftPx, widthPx - rightPx)],
  })
  return { widthPx, leftPx, rightPx, buckets, x }
}

/** The bar at a position, or the nearest one. */
export function bucketAt({ buckets, leftPx, rightPx, widthPx }: Plot, px: number): number {
  const share = (px - leftPx) / Math.max(1, widthPx - leftPx - rightPx)
  return Math.min(buckets.length - 1, Math.max(0, Math.floor(share * buckets.length)))
}
