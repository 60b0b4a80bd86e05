import { useNowMs } from '../app/clock.ts'
import { usePreferences } from '../app/preferences.ts'
import { formatDuration } from '../format/numbers.ts'
import { formatTime, formatWhole } from '../format/times.ts'

export interface TimeProps {
  /** RFC 3339. */
  readonly at: string
  readonly withMs?: boolean
  /** Adds `(in 41 s)` or `(3 min ago)`. */
  readonly relative?: boolean
}

/** A moment in the reader's zone, with both zones in its tooltip. */
export function Time({ at, withMs = false, relative = false }: TimeProps) {
  const { zone } = usePreferences()
  const nowMs = useNowMs(relative ? 1 : 60_000)
  const awayMs = Math.round((Date.parse(at) - nowMs) / 1_000) * 1_000
  const both = `${formatWhole(at, 'local')}\n${formatWhole(at, 'utc')}`
  return (
    <time dateTime={at} title={both}>
      <span className="whitespace-nowrap">{formatTime(at, zone, nowMs, { withMs })}</span>
      {relative && ' '}
      {relative && (
        <span className="whitespace-nowrap">
          ({awayMs > 0 ? `in ${formatDuration(awayMs)}` : agoFrom(-awayMs)})
        </span>
      )}
    </time>
  )
}

function agoFrom(ms: number): string {
  return ms < 1_000 ? 'now' : `${formatDuration(ms)} ago`
}
