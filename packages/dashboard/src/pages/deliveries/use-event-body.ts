import { useApi } from '../../api/api-context.ts'
import { useQuery } from '@tanstack/react-query'
import { eventBody } from '../../format/event-body.ts'

export interface EventBody {
  /** The exact bytes as text; null while they load, or if they were deleted. */
  readonly text: string | null
  readonly isErased: boolean
  readonly isLoading: boolean
  readonly error: Error | null
}

/** The body of an event. It never changes, except when it is erased. */
export function useEventBody(eventId: string): EventBody {
  const { call } = useApi()
  const { data, isPending, error } = useQuery({
    queryKey: ['events', eventId],
    queryFn: async ({ signal }) => await call('getEvent', { params: { id: eventId }, signal }),
    staleTime: 60_000,
  })
  return {
    text: data === undefined ? null : eventBody(data),
    isErased: data !== undefined && data.erased_at !== null,
    isLoading: isPending,
    error,
  }
}
