import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { type Api, useApi } from './api-context.ts'
import { useHeldError } from './use-held-error.ts'
import { useLive } from './use-live.ts'

export interface RowPage<Row> {
  readonly data: Row[]
  readonly next_cursor: string | null
  /** The shards whose rows are missing, because they are down. */
  readonly unavailable_shards?: number[] | undefined
}

export interface RowsOptions<Row> {
  /** The query's key; it includes the filters. */
  readonly key: readonly unknown[]
  readonly load: (
    call: Api['call'],
    query: { readonly cursor?: string; readonly limit: number },
    signal: AbortSignal,
  ) => Promise<RowPage<Row>>
  readonly idOf: (row: Row) => string
  /** How often to look for new rows and refresh the newest page; null: never. */
  readonly everyMs?: number | null
}

/**
 * A list in pages of 50, newest first. It counts new rows and adds them when the reader asks, so that rows never
 * move.
 */
export interface Rows<Row> {
  readonly pages: readonly (readonly Row[])[]
  readonly isLoading: boolean
  readonly error: Error | null
  /** When the first page was last loaded; 0: never. */
  readonly readAtMs: number
  readonly newCount: number
  /** The shards whose rows are missing in the latest answer. */
  readonly missingShards: readonly number[]
  readonly showNew: () => void
  readonly hasOlder: boolean
  readonly isLoadingOlder: boolean
  readonly loadOlder: () => void
  readonly retry: () => void
}

const rowsPerPage = 50
/** A longer list makes the page slow; filters lead further back. */
const pagesMax = 40
/** How many pages to load automatically while a filter matches nothing. */
const emptyPagesMax = 10

export function useRows<Row>({ key, load, idOf, everyMs = 5_000 }: RowsOptions<Row>): Rows<Row> {
  const { call } = useApi()
  const client = useQueryClient()
  const listKey = [...key, 'rows']
  const list = useInfiniteQuery({
    queryKey: listKey,
    queryFn: async ({ pageParam, signal }) =>
      await load(call, { limit: rowsPerPage, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next_cursor,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isEmpty = list.data?.pages.every(page => page.data.length === 0) ?? false
  const { fetchNextPage, hasNextPage, isError, isFetching } = list
  const looksFurther = isEmpty && hasNextPage && !isError && (list.data?.pages.length ?? 0) < emptyPagesMax
  useEffect(() => {
    if (looksFurther && !isFetching) void fetchNextPage()
  }, [looksFurther, isFetching, fetchNextPage])
  const shownError = useHeldError(JSON.stringify(key), list)
  const newest = useLive({
    key: [...key, 'newest'],
    load: async (_, signal) => await load(call, { limit: rowsPerPage }, signal),
    everyMs,
    // a look for newer rows at this moment would repeat the same request
    known: everyMs === null ? undefined : list.data?.pages[0],
    knownAtMs: list.dataUpdatedAt,
    enabled: list.isSuccess && everyMs !== null,
  })
  const latest = newest.data?.data
  const shown = list.data?.pages
  const newIds = useMemo(() => {
    if (latest === undefined || shown === undefined) return 0
    const known = new Set(shown.flatMap(page => page.data.map(idOf)))
    const firstKnown = latest.findIndex(row => known.has(idOf(row)))
    return firstKnown === -1 ? latest.length : firstKnown
  }, [latest, shown, idOf])

  const pages = useMemo(
    () => refreshed(shown?.map(page => page.data) ?? [], newest.data ?? null, idOf),
    [newest.data, shown, idOf],
  )

  return {
    pages,
    isLoading: list.isPending || looksFurther,
    error: shownError ?? newest.error,
    readAtMs: Math.max(list.dataUpdatedAt, newest.dataUpdatedAt),
    newCount: newIds,
    missingShards: newest.data?.unavailable_shards ?? [],
    showNew: () => {
      client.setQueryData<InfiniteData<RowPage<Row>, string | null>>(listKey, old =>
        newest.data === undefined || old === undefined ? old : { pages: [newest.data], pageParams: [null] },
      )
    },
    hasOlder: list.hasNextPage && (shown?.length ?? 0) < pagesMax,
    isLoadingOlder: list.isFetchingNextPage,
    loadOlder: () => void list.fetchNextPage(),
    retry: () => void client.invalidateQueries({ queryKey: [...key] }),
  }
}

/**
 * Updates shown rows from the newest page. A shown row that is as new but missing there no longer matches the
 * filters, so it is removed.
 */
export function refreshed<Row>(
  pages: readonly (readonly Row[])[],
  newest: RowPage<Row> | null,
  idOf: (row: Row) => string,
): (readonly Row[])[] {
  if (newest === null) return [...pages]
  const fresh = new Map(newest.data.map(row => [idOf(row), row]))
  const shown = pages.flat().map(idOf)
  const end = newest.next_cursor === null ? shown.length : shown.findLastIndex(id => fresh.has(id))
  const gone = new Set(shown.slice(0, end).filter(id => !fresh.has(id)))
  return pages.map(page => page.filter(row => !gone.has(idOf(row))).map(row => fresh.get(idOf(row)) ?? row))
}
