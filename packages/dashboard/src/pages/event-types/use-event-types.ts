import type { EventTypeInfo } from '@posthorn/contract'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'

/** The event types. They change only with the service's version. */
export function useEventTypes(): UseQueryResult<EventTypeInfo[]> {
  const { call } = useApi()
  return useQuery({
    queryKey: ['event-types'],
    queryFn: async ({ signal }) => (await call('listEventTypes', { query: { limit: 250 }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
