import type { EndpointCheck } from '@posthorn/contract'
import { useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'

/** A check with its time. */
export interface PastCheck {
  readonly at: string
  readonly check: EndpointCheck
}

export interface EndpointChecks {
  /** Newest first; kept only in this page's memory. */
  readonly past: readonly PastCheck[]
  readonly isRunning: boolean
  readonly error: Error | null
  readonly run: () => void
}

const pastMax = 20

/** The checks of one endpoint since the page was loaded. A check continues when another tab of the endpoint opens. */
export function useEndpointChecks(id: string): EndpointChecks {
  const { call } = useApi()
  const queries = useQueryClient()
  const key = ['endpoint-checks', id]
  const { data: past = [] } = useQuery<PastCheck[]>({
    queryKey: key,
    queryFn: () => [],
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const running = useMutation({
    mutationKey: key,
    mutationFn: async () => await call('checkWebhook', { params: { id } }),
    onSuccess: check => {
      const made = { at: new Date().toISOString(), check }
      queries.setQueryData<PastCheck[]>(key, (old = []) => [made, ...old].slice(0, pastMax))
    },
  })
  const states = useMutationState({ filters: { mutationKey: key }, select: mutation => mutation.state })
  const latest = states.at(-1)
  const isRunning = latest?.status === 'pending'
  return {
    past,
    isRunning,
    error: latest?.error ?? null,
    run: () => {
      if (!isRunning) running.mutate()
    },
  }
}
