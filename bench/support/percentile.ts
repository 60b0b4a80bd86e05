/**
 * The nearest-rank percentile.
 * @param share between 0 and 1
 * @returns NaN if there are no values
 */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
