import type { NoticeWebhook } from '@posthorn/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { type Live, useLive } from '../../api/use-live.ts'
import { announce } from '../../app/announce.ts'

const queryKey = ['notice-webhook']

export interface NoticeWebhookState {
  /** Null: no notices. */
  readonly current: Live<NoticeWebhook | null>
  readonly save: UseMutationResult<void, Error, string>
  readonly stop: UseMutationResult<void, Error, void>
  /** Shown once after the first save; kept only in this page's state. */
  readonly secret: string | null
  readonly forgetSecret: () => void
}

/** The notice URL, and the actions that change it. */
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
      // return nothing, because the query client would cache the secret
      const { secret: once, ...shown } = await call('putNoticeWebhook', { body: { url } })
      queries.setQueryData(queryKey, shown)
      setSecret(once)
      announce('Notices are on')
    },
  })
  const stop = useMutation({
    mutationFn: async () => {
      await call('deleteNoticeWebhook')
      queries.setQueryData(queryKey, null)
      announce('Notices are off')
    },
  })
  return { current, save, stop, secret, forgetSecret: () => setSecret(null) }
}

function noneIfNotFound(error: unknown): null {
  if (error instanceof ApiProblem && error.status === 404) return null
  throw error
}
