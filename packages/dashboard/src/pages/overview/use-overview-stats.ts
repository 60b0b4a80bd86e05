import type { Stats } from '@posthorn/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useLive } from '../../api/use-live.ts'
import { type OverviewRange, rangeQuery } from './overview-range.ts'

/** The results of all attempts in the range, refreshed every 15 s. */
export function useOverviewStats(range: OverviewRange): UseQueryResult<Stats> {
  return useLive({
    key: ['stats', range],
    load: async (call, signal) => await call('getStats', { query: rangeQuery(range, Date.now()), signal }),
    everyMs: 15_000,
  })
}
