import type { EventTypeInfo } from '@posthorn/contract'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'

/** The catalogue of events. It changes with the service's version and not while one looks. */
export function useEventTypes(): UseQueryResult<EventTypeInfo[]> {
  const { call } = useApi()
  return useQuery({
    queryKey: ['event-types'],
    queryFn: async ({ signal }) => (await call('listEventTypes', { query: { limit: 250 }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
