import type { Stats } from '@posthorn/contract'
import { useNowMs } from '../../app/clock.ts'
import { TextLink } from '../../components/text-link.tsx'
import { Time } from '../../components/time.tsx'
import { hasEarlier, longestComparable, type OverviewRange, overviewRanges } from './overview-range.ts'

export interface ComparisonProps {
  readonly stats: Stats | undefined
  readonly range: OverviewRange
}

/** What the rates are compared with, or why not and which range has a comparison. Its height is reserved. */
export function Comparison({ stats, range }: ComparisonProps) {
  const nowMs = useNowMs(60_000)
  const since = stats?.outcomes?.recorded_since ?? null
  const { before } = overviewRanges[range]
  if (since === null) return <p className={look} />
  const sinceMs = Date.parse(since)
  if (hasEarlier(range, sinceMs, nowMs)) return <p className={look}>Compared with {before}.</p>
  const other = longestComparable(sinceMs, nowMs)
  return (
    <p className={look}>
      Not compared with {before}, because counting started <Time at={since} />.{' '}
      {other !== null && (
        <TextLink to="/" search={{ range: other }}>
          Compare {overviewRanges[other].span}
        </TextLink>
      )}
    </p>
  )
}

const look = '-mt-2 mb-3 min-h-8 text-label text-ink-3 wide:min-h-4'
