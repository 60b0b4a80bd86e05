import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Api, useApi } from './api-context.ts'

const slowestMs = 60_000

export interface LiveOptions<T> {
  /** Names what is asked; everything that `load` depends on belongs in it. */
  readonly key: readonly unknown[]
  readonly load: (call: Api['call'], signal: AbortSignal) => Promise<T>
  /** Ask again every so often; null: once. A function is asked after each answer, to stop at the end of something. */
  readonly everyMs: number | null | ((latest: T | undefined) => number | null)
  readonly enabled?: boolean
  /** What another question answered before this one was ever asked, and when that was. */
  readonly known?: T | undefined
  readonly knownAtMs?: number
}

/** Asks, and asks again while the tab is visible: more slowly after errors. */
export function useLive<T>(options: LiveOptions<T>): UseQueryResult<T> {
  const { key, load, everyMs, enabled = true, known, knownAtMs } = options
  const { call } = useApi()
  return useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => await load(call, signal),
    enabled,
    initialData: () => known,
    initialDataUpdatedAt: () => knownAtMs,
    refetchInterval: ({ state }) => {
      const wantedMs = typeof everyMs === 'function' ? everyMs(state.data) : everyMs
      if (wantedMs === null) return false
      // errors are counted for good; once an answer came, none is left that would slow us down
      const timesSlower = state.error === null ? 1 : 2 ** Math.min(state.errorUpdateCount, 4)
      return Math.min(slowestMs, wantedMs * timesSlower)
    },
    refetchIntervalInBackground: false,
  })
}
