import type { Stats } from '@posthorn/contract'
import { type Live, useLive } from '../../api/use-live.ts'
import { useNowMs } from '../../app/clock.ts'
import { recordedSinceMs } from '../../charts/buckets.ts'
import { statsOf } from './overview-questions.ts'
import { fittingRange, longestRange, type OverviewRange } from './overview-range.ts'

export interface OverviewStats {
  /** Null until it is known how long anything has been recorded. */
  readonly range: OverviewRange | null
  readonly query: Live<Stats>
}

/**
 * The statistics of the range, refreshed every 15 s.
 * @param chosen undefined: the shortest range that contains everything
 */
export function useOverviewStats(chosen: OverviewRange | undefined): OverviewStats {
  const nowMs = useNowMs(60_000)
  const longest = useStats(longestRange, 300_000, chosen === undefined)
  const range = chosen ?? rangeOf(longest, nowMs)
  const isDecided = chosen !== undefined || longest.data !== undefined
  const query = useStats(range ?? longestRange, 15_000, isDecided)
  return { range, query: isDecided ? query : longest }
}

function rangeOf({ data, error }: Live<Stats>, nowMs: number): OverviewRange | null {
  if (data !== undefined) return fittingRange(recordedSinceMs(data), nowMs)
  // the rest of the page does not depend on it
  return error === null ? null : longestRange
}

function useStats(range: OverviewRange, everyMs: number, enabled: boolean): Live<Stats> {
  return useLive({ ...statsOf(range), everyMs, enabled })
}
