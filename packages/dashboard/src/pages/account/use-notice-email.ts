import type { NoticeEmail } from '@posthorn/contract'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { ApiProblem } from '../../api/problem.ts'
import { type Live, useLive } from '../../api/use-live.ts'
import { announce } from '../../app/announce.ts'

const queryKey = ['notice-email']

export interface NoticeEmailState {
  /** Null: no email notices. */
  readonly current: Live<NoticeEmail | null>
  readonly save: UseMutationResult<void, Error, string>
  readonly stop: UseMutationResult<void, Error, void>
}

/** The address for email notices, and the actions that change it. */
export function useNoticeEmail(): NoticeEmailState {
  const { call } = useApi()
  const queries = useQueryClient()
  const current = useLive({
    key: queryKey,
    load: async (ask, signal) => await ask('getNoticeEmail', { signal }).catch(noneIfNotFound),
    everyMs: null,
  })
  const save = useMutation({
    mutationFn: async (address: string) => {
      queries.setQueryData(queryKey, await call('putNoticeEmail', { body: { address } }))
      announce('Email notices are on')
    },
  })
  const stop = useMutation({
    mutationFn: async () => {
      await call('deleteNoticeEmail')
      queries.setQueryData(queryKey, null)
      announce('Email notices are off')
    },
  })
  return { current, save, stop }
}

function noneIfNotFound(error: unknown): null {
  if (error instanceof ApiProblem && error.status === 404) return null
  throw error
}
