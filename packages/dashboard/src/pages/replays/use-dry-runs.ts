import type { ReplayDryRun } from '@posthorn/contract'
import type { ReplayState } from '@posthorn/contract/plain'
import { useQueries } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'

export interface ReplayWindow {
  readonly since: string
  /** Nothing: now. */
  readonly until: string | undefined
}

export interface DryRuns {
  /** The count for each state that was counted. */
  readonly runs: ReadonlyMap<ReplayState, ReplayDryRun>
  readonly isCounting: boolean
  readonly error: Error | null
}

/** What a replay of each of these states would send; choosing another state costs one more request. */
export function useDryRuns(
  webhookId: string,
  window: ReplayWindow | null,
  states: readonly ReplayState[],
): DryRuns {
  const { call } = useApi()
  const results = useQueries({
    queries: states.map(state => ({
      queryKey: ['replay-dry-run', webhookId, window, state],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ReplayDryRun> => {
        const body = { since: window?.since ?? '', until: window?.until, states: [state], dry_run: true }
        const answer = await call('createReplay', { params: { id: webhookId }, body, signal })
        if (!('dry_run' in answer)) throw new Error('a dry run was answered with a replay')
        return answer
      },
      enabled: window !== null,
      staleTime: 10_000,
      refetchInterval: 30_000,
      refetchIntervalInBackground: false,
    })),
  })
  return {
    runs: new Map(
      results.flatMap((result, place) => {
        const state = states[place]
        return result.data === undefined || state === undefined ? [] : [[state, result.data] as const]
      }),
    ),
    isCounting: results.some(result => result.isPending),
    error: results.find(result => result.error !== null)?.error ?? null,
  }
}
