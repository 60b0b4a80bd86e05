import type { NoticeWebhook } from '@posthorn/contract'
import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useLive } from '../../api/use-live.ts'
import { announce } from '../../app/announce.ts'

const queryKey = ['notice-webhook']

export interface NoticeWebhookState {
  /** Null: no notices are sent. */
  readonly current: UseQueryResult<NoticeWebhook | null>
  readonly save: UseMutationResult<void, Error, string>
  readonly stop: UseMutationResult<void, Error, void>
  /** Shown once, after the first save; in this page's state alone. */
  readonly secret: string | null
  readonly forgetSecret: () => void
}

/** Where the account's notices go, and the ways to change that. */
export function useNoticeWebhook(): NoticeWebhookState {
  const { call } = useApi()
  const queries = useQueryClient()
  const [secret, setSecret] = useState<string | null>(null)
  const current = useLive({
    key: queryKey,
    load: async (ask, signal) => await ask('getNoticeWebhook', { signal }).catch(noneIfNotFound),
    everyMs: null,
  })
  const save = useMutation({
    mutationFn: async (url: string) => {
      // the secret must not stay in a cache: what is returned would
      const { secret: once, ...shown } = await call('putNoticeWebhook', { body: { url } })
      queries.setQueryData(queryKey, shown)
      setSecret(once)
      announce('Notices go there from now on')
    },
  })
  const stop = useMutation({
    mutationFn: async () => {
      await call('deleteNoticeWebhook')
      queries.setQueryData(queryKey, null)
      announce('No notices are sent any more')
    },
  })
  return { current, save, stop, secret, forgetSecret: () => setSecret(null) }
}

function noneIfNotFound(error: unknown): null {
  if (error instanceof ApiProblem && error.status === 404) return null
  throw error
}
