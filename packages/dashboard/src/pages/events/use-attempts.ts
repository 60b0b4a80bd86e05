import type { Attempt, Delivery } from '@posthorn/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'

/** The attempts of a delivery in a list, reloaded only when there is a new one. */
export function useAttempts({ id, attempt_count: count }: Delivery): Attempt[] | undefined {
  const { call } = useApi()
  const { data } = useQuery({
    queryKey: ['deliveries', id, 'attempts', count],
    queryFn: async ({ signal }) => await call('getDelivery', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: count > 0,
  })
  return data?.attempts
}
