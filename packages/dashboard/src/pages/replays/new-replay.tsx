import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useRef } from 'react'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { chosenStates, replayChoice } from '../../app/replay-choice.ts'
import { usePaused } from '../../app/use-paused.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { addedUp, estimateWords, replayLabel } from '../../words/replay-words.ts'
import { NothingToReplay } from './nothing-to-replay.tsx'
import { ReplayWindowFields } from './replay-window-fields.tsx'
import { StateChoice } from './state-choice.tsx'
import { type ReplayWindow, useDryRuns } from './use-dry-runs.ts'
import { useStartReplay } from './use-start-replay.ts'
import { useWindow } from './use-window.ts'

const route = getRouteApi('/signed-in/endpoints/$id/replays')

export interface NewReplayProps {
  readonly webhook: Webhook
  readonly health: WebhookHealth | undefined
}

/** Replays the deliveries of a time window. A dry run counts them automatically, and the button shows the number. */
export function NewReplay({ webhook, health }: NewReplayProps) {
  const choice = route.useSearch()
  const navigate = route.useNavigate()
  const reader = { zone: usePreferences().zone, nowMs: useNowMs() }
  const proposed = useWindow(webhook.id, choice, health)
  const { window } = proposed
  const states = chosenStates(choice)
  // no dry run for a window that is still being typed
  const since = usePaused(window?.since ?? '')
  const until = usePaused(window?.until ?? '')
  const settled =
    window === null || since === '' ? window : { since, until: until === '' ? undefined : until }
  const counted = [...new Set([...states, 'failed', 'exhausted'] as const)]
  const { runs, isCounting, error } = useDryRuns(webhook.id, settled, counted)
  const start = useStartReplay(webhook.id)
  const heading = useRef<HTMLHeadingElement>(null)
  if (window === null || settled === null) return <Skeleton lines={5} />

  const isSettled = settled.since === window.since && settled.until === window.until
  const chosenRuns = states.flatMap(state => runs.get(state) ?? [])
  const estimate = isSettled && chosenRuns.length === states.length ? addedUp(chosenRuns) : null
  const show = (changed: ReplayWindow): void =>
    void navigate({ search: replayChoice({ ...choice, ...changed }), replace: true })
  return (
    <section aria-labelledby="new-replay" className="mb-8 space-y-4">
      <h2 id="new-replay" ref={heading} tabIndex={-1} className="outline-none">
        Replay deliveries
      </h2>
      <ReplayWindowFields {...proposed} window={window} onChange={show} />
      <StateChoice
        chosen={states}
        runs={runs}
        lastDueAt={health?.last_due_at ?? null}
        onChange={chosen => void navigate({ search: { ...choice, states: chosen.join(',') }, replace: true })}
      />
      <ActionProblem error={error ?? start.error} />
      <div className="min-h-14 border-t border-line pt-4">
        {estimate?.count === 0 && !isCounting ? (
          <NothingToReplay
            webhookId={webhook.id}
            window={window}
            onWiden={wider => {
              // the button disappears with its notice
              heading.current?.focus()
              show(wider)
            }}
          />
        ) : (
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <div className="min-w-0 flex-1 basis-72">
              <p>{estimate === null ? 'Counting the deliveries.' : estimateWords(estimate, reader)}</p>
              <p className="text-ink-2">
                The event ids stay the same, so your server can recognize duplicates.
              </p>
            </div>
            <Button
              kind="primary"
              busy={estimate === null || start.isPending}
              onClick={() => start.mutate({ window, states })}
              className="max-wide:w-full"
            >
              {replayLabel(estimate?.count ?? null)}
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}
