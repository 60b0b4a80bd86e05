import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type Api, useApi } from './api-context.ts'
import { useHeldError } from './use-held-error.ts'

const slowestMs = 60_000

/** What a request asks for. */
export interface Question<T> {
  /** It includes everything that `load` depends on. */
  readonly key: readonly unknown[]
  readonly load: (call: Api['call'], signal: AbortSignal) => Promise<T>
}

export interface LiveOptions<T> extends Question<T> {
  /** How often to refresh; null: never. A function is called after each answer, so that it can stop the refreshes. */
  readonly everyMs: number | null | ((latest: T | undefined) => number | null)
  readonly enabled?: boolean
  /** The answer of another query to show before the first one, and its time. */
  readonly known?: T | undefined
  readonly knownAtMs?: number
}

/** The latest answer. An error stays while the request is tried again, and then it is not pending. */
export type Live<T> = Pick<
  UseQueryResult<T>,
  'data' | 'error' | 'isPending' | 'isLoading' | 'dataUpdatedAt' | 'refetch'
>

/** Loads data and refreshes it while the tab is visible; after errors it refreshes less often. */
export function useLive<T>(options: LiveOptions<T>): Live<T> {
  const { key, load, everyMs, enabled = true, known, knownAtMs } = options
  const { call } = useApi()
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => await load(call, signal),
    enabled,
    initialData: () => known,
    initialDataUpdatedAt: () => knownAtMs,
    refetchInterval: ({ state }) => {
      const wantedMs = typeof everyMs === 'function' ? everyMs(state.data) : everyMs
      if (wantedMs === null) return false
      // errorUpdateCount never goes down, so it matters only while the latest request has failed
      const timesSlower = state.error === null ? 1 : 2 ** Math.min(state.errorUpdateCount, 4)
      return Math.min(slowestMs, wantedMs * timesSlower)
    },
    refetchIntervalInBackground: false,
  })
  const error = useHeldError(JSON.stringify(key), query)
  const { data, isPending, isLoading, dataUpdatedAt, refetch } = query
  const isFirst = error === null
  return {
    data,
    error,
    isPending: isFirst && isPending,
    isLoading: isFirst && isLoading,
    dataUpdatedAt,
    refetch,
  }
}

/** Asks before the page is drawn that shows the answer. The page reports a failure. */
export function askAhead<T>(
  { queries, api }: { readonly queries: QueryClient; readonly api: Api },
  { key, load }: Question<T>,
): void {
  void queries.prefetchQuery({
    queryKey: key,
    queryFn: async ({ signal }) => await load(api.call, signal),
  })
}
