import type { SendingDomain } from '@posthorn/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { domainWords } from '../../words/domain-words.ts'

/** Checks the DNS records of a domain and shows the result. */
export function useDomainCheck(id: string): UseMutationResult<SendingDomain, Error, void> {
  const { call } = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async () => await call('checkSendingDomain', { params: { id } }),
    onSuccess: async domain => {
      // a request that is still under way has data from before the check
      await queries.cancelQueries({ queryKey: ['domains', id] })
      queries.setQueryData(['domains', id], domain)
      void queries.invalidateQueries({ queryKey: ['domains', 'list'] })
      announce(`Checked. ${domainWords(domain).headline}`)
    },
  })
}
