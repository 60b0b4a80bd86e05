const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const twoDigits = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** `1,204`; an unknown number is a dash, never 0. */
export function formatCount(count: number | null | undefined): string {
  return count === null || count === undefined ? '—' : whole.format(count)
}

/** `1.2k`, for scales; the exact number is shown elsewhere. */
export function formatShort(count: number): string {
  return compact.format(count).replace('K', 'k')
}

/** A share from 0 to 1 as `98.2%`; never rounded up to 100. */
export function formatShare(share: number | null | undefined): string {
  if (share === null || share === undefined || Number.isNaN(share)) return '—'
  const percent = share < 1 ? Math.min(99.9, Math.floor(share * 1000) / 10) : 100
  return `${oneDigit.format(percent)}%`
}

/** Milliseconds as `84 ms`, `1.9 s`, `3 min 20 s`, `28 h 40 min`, `5 days`. */
export function formatDuration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '—'
  if (ms < 1_000) return `${ms < 10 && ms > 0 ? oneDigit.format(ms) : Math.round(ms)} ms`
  if (ms < 59_950) return `${oneDigit.format(ms / 1_000)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return parts(Math.floor(seconds / 60), 'min', seconds % 60, 's')
  const minutes = Math.round(ms / 60_000)
  if (minutes < 48 * 60) return parts(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
  return `${whole.format(Math.round(ms / 86_400_000))} days`
}

/** A duration in its largest unit: `41 min`, `28 h`, `5 days`. */
export function formatSpan(ms: number): string {
  if (ms < 60_000) return `${Math.max(1, Math.round(ms / 1_000))} s`
  if (ms < 90 * 60_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 48 * 3_600_000) return `${Math.round(ms / 3_600_000)} h`
  return `${whole.format(Math.round(ms / 86_400_000))} days`
}

function parts(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`
}

/** `1 delivery`, `1,204 deliveries`. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** A ratio as `2.1%`, and below one percent with more digits: `0.08%`, `<0.01%`; unknown: a dash. */
export function formatRatio(ratio: number | null): string {
  if (ratio === null) return '—'
  if (ratio > 0 && ratio < 0.0001) return '<0.01%'
  const percent = ratio * 100
  // only a whole is 100, and only nothing is 0
  if (ratio < 1 && percent > 99.9) return '99.9%'
  return `${(percent < 1 ? twoDigits : oneDigit).format(percent)}%`
}
