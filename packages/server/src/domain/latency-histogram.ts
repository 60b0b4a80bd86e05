const perDoubling = 4
const doublings = 17

/**
 * The bounds between buckets in milliseconds: four for each doubling, from 1 ms to two minutes, so a percentile is off by
 * less than a tenth. They are fixed, because histograms of several times and processes are added.
 */
export const latencyBoundsMs: readonly number[] = Array.from(
  { length: perDoubling * doublings + 1 },
  (_, index) => Math.round(2 ** (index / perDoubling) * 1_000) / 1_000,
)

/** The number of durations in each bucket. */
export type LatencyHistogram = Map<number, number>

/** The bucket of a duration: the number of bounds that it reaches, as in SQL's `width_bucket`. */
export function latencyBucket(ms: number): number {
  let low = 0
  let high = latencyBoundsMs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((latencyBoundsMs[middle] ?? 0) <= ms) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * The duration that this share of all durations does not exceed, or null if there are none. It assumes that durations are
 * evenly distributed within a bucket.
 * @example
 * latencyPercentile(histogram, 0.95)
 */
export function latencyPercentile(histogram: LatencyHistogram, share: number): number | null {
  const buckets = [...histogram].toSorted(([a], [b]) => a - b)
  const total = buckets.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return null
  const wanted = share * total
  let below = 0
  for (const [bucket, count] of buckets) {
    if (below + count >= wanted) return between(bucket, (wanted - below) / count)
    below += count
  }
  return between(buckets.at(-1)?.[0] ?? 0, 1)
}

function between(bucket: number, fraction: number): number {
  const from = latencyBoundsMs[bucket - 1] ?? 0
  const to = latencyBoundsMs[bucket] ?? from
  return Math.round((from + (to - from) * fraction) * 100) / 100
}
