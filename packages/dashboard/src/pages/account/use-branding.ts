import type { Branding } from '@posthorn/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { type Live, useLive } from '../../api/use-live.ts'
import { announce } from '../../app/announce.ts'

const queryKey = ['branding']

/** The fields to change; null removes a value. */
export interface BrandingChange {
  readonly name?: string | null
  readonly color?: string | null
  /** In base64. */
  readonly logo?: string | null
}

export type SaveBranding = UseMutationResult<void, Error, BrandingChange>

/** The branding of the account. */
export function useBranding(): Live<Branding> {
  return useLive({
    key: queryKey,
    load: async (ask, signal) => await ask('getBranding', { signal }),
    everyMs: null,
  })
}

/** Changes the branding, and shows the answer everywhere. */
export function useSaveBranding(): SaveBranding {
  const { call } = useApi()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (change: BrandingChange) => {
      queries.setQueryData(queryKey, await call('updateBranding', { body: change }))
      announce('The unsubscribe page is changed')
    },
  })
}
