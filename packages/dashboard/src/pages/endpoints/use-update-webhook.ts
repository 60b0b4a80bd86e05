import type { Webhook } from '@posthorn/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import type { Input } from '../../api/call.ts'

/** Changes an endpoint and updates every list and page that shows it. */
export function useUpdateWebhook(
  id: string,
): UseMutationResult<Webhook, Error, Input<'updateWebhook'>['body']> {
  const { call } = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async body => await call('updateWebhook', { params: { id }, body }),
    onSuccess: async webhook => {
      queries.setQueryData(['webhooks', id], webhook)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['webhooks'] }),
        queries.invalidateQueries({ queryKey: ['webhook-health'] }),
      ])
    },
  })
}
