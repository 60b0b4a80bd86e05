import type { OutcomeStats, Stats } from '@posthorn/contract'
import { useLive } from '../../api/use-live.ts'
import { useNowMs } from '../../app/clock.ts'
import { earlierQuery, hasEarlier, type OverviewRange } from './overview-range.ts'

/** The outcomes one range earlier. Null: not all of that time was recorded. Undefined: not known yet. */
export function useEarlierOutcomes(
  range: OverviewRange,
  stats: Stats | undefined,
): OutcomeStats | null | undefined {
  const nowMs = useNowMs(60_000)
  const recordedSince = stats?.outcomes?.recorded_since ?? null
  const isRecorded = recordedSince !== null && hasEarlier(range, Date.parse(recordedSince), nowMs)
  const { data } = useLive({
    key: ['stats', range, 'earlier'],
    load: async (call, signal) =>
      (await call('getStats', { query: earlierQuery(range, Date.now()), signal })).outcomes,
    everyMs: 300_000,
    enabled: isRecorded,
  })
  if (stats === undefined) return undefined
  return isRecorded ? data : null
}
