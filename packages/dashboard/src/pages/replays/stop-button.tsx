import type { Replay } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Square } from 'lucide-react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { replayHeadline } from '../../words/replay-words.ts'

/** Stops a replay: queued deliveries are still sent, the others are not. */
export function StopButton({ id }: Pick<Replay, 'id'>) {
  const { call } = useApi()
  const queries = useQueryClient()
  const stop = useMutation({
    mutationFn: async () => await call('cancelReplay', { params: { id } }),
    onSuccess: async replay => {
      queries.setQueryData(['replays', id], replay)
      announce(replayHeadline(replay))
      await queries.invalidateQueries({ queryKey: ['replays'] })
    },
  })
  return (
    <>
      <Button
        icon={<Square size={14} aria-hidden />}
        busy={stop.isPending}
        onClick={() => stop.mutate()}
        className="max-wide:w-full"
      >
        Stop
      </Button>
      <ActionProblem error={stop.error} />
    </>
  )
}
