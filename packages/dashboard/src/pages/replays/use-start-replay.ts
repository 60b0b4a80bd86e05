import type { ReplayState } from '@posthorn/contract/plain'
import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import type { ReplayWindow } from './use-dry-runs.ts'

export interface WantedReplay {
  readonly window: ReplayWindow
  readonly states: readonly ReplayState[]
}

/** Starts a replay and opens its page. */
export function useStartReplay(webhookId: string): UseMutationResult<string, Error, WantedReplay> {
  const { call } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ window: { since, until }, states }: WantedReplay) => {
      const body = { since, until, states: [...states] }
      const answer = await call('createReplay', { params: { id: webhookId }, body })
      if ('dry_run' in answer) throw new Error('a replay was answered with a dry run')
      queries.setQueryData(['replays', answer.id], answer)
      return answer.id
    },
    onSuccess: async id => {
      announce('The replay has started.')
      await navigate({ to: '/replays/$id', params: { id } })
      await Promise.all(
        ['replays', 'replay-dry-run', 'webhook-health'].map(async name => {
          await queries.invalidateQueries({ queryKey: [name] })
        }),
      )
    },
  })
}
