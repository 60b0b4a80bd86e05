import type { Account, AccountUpdate } from '@posthorn/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'

/** Changes an account. The pages about it show the answer at once. */
export function useUpdateAccount(id: string): UseMutationResult<Account, Error, AccountUpdate> {
  const { call } = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: AccountUpdate) => await call('updateAccount', { params: { id }, body }),
    onSuccess: saved => {
      queries.setQueryData(['account', id], saved)
      void queries.invalidateQueries({ queryKey: ['accounts'] })
      void queries.invalidateQueries({ queryKey: ['audit-log', id] })
    },
  })
}
