import type { Replay } from '@posthorn/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useLive } from '../../api/use-live.ts'
import { useWebhook } from '../../api/use-webhook.ts'
import { announce } from '../../app/announce.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange } from '../../app/session.ts'
import { Crumbs } from '../../components/crumbs.tsx'
import { Id } from '../../components/id.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Progress } from '../../components/progress.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { Time } from '../../components/time.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { isMoving, replayHeadline, replayTitle, shownState, triedAgain } from '../../words/replay-words.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import { ReplayBadge } from './replay-badge.tsx'
import { ReplayLedger } from './replay-ledger.tsx'
import { StopButton } from './stop-button.tsx'

const route = getRouteApi('/signed-in/replays/$id')

/** The progress of a replay, its remaining time, and a button to stop it. */
export function ReplayPage() {
  const { id } = route.useParams()
  const {
    data: replay,
    error,
    refetch,
    dataUpdatedAt,
  } = useLive({
    key: ['replays', id],
    load: async (call, signal) => await call('getReplay', { params: { id }, signal }),
    everyMs: latest => (latest === undefined || isMoving(latest) ? 2_000 : null),
  })
  usePageTitle(replay === undefined ? 'Replay' : replayTitle(replay))
  return (
    <>
      {replay === undefined && <PageHeader title="Replay" />}
      {error !== null && (
        <div className="mb-4">
          <Problem error={error} onRetry={() => void refetch()} readAtMs={dataUpdatedAt} />
        </div>
      )}
      {replay !== undefined && <Found replay={replay} />}
      {replay === undefined && error === null && <Skeleton lines={6} />}
    </>
  )
}

function Found({ replay }: { replay: Replay }) {
  const mayChange = useMayChange()
  const { webhook } = useWebhook(replay.webhook_id)
  useEndTold(replay)
  const { id, total, done, since, until, states } = replay
  const state = shownState(replay)
  const name = webhook === undefined ? replay.webhook_id : endpointName(webhook)
  return (
    <>
      <PageHeader
        title={`Replay to ${name}`}
        trail={
          <Crumbs>
            <TextLink to="/endpoints">Endpoints</TextLink>
            <TextLink to="/endpoints/$id/replays" params={{ id: replay.webhook_id }}>
              <bdi>{name}</bdi>
            </TextLink>
            <Id id={id} what="replay id" />
          </Crumbs>
        }
      />
      <Verdict
        tone={state === 'done' ? 'delivered' : state === 'running' ? 'pending' : 'neutral'}
        headline={
          <>
            {state === 'running' && <ReplayBadge state={state} />} {replayHeadline(replay)}
          </>
        }
        actions={mayChange && replay.state === 'running' && <StopButton id={id} />}
      >
        {state === 'cancelled' && <p>Queued deliveries are still sent.</p>}
      </Verdict>
      <div className="my-4">
        <Progress label="Progress" done={triedAgain(replay) ?? done} total={total} />
      </div>
      <div className="grid gap-x-12 gap-y-6 wide:grid-cols-2">
        <ReplayLedger replay={replay} />
        <dl className="grid grid-cols-[auto_1fr] content-start gap-x-6 gap-y-1">
          <dt className="text-ink-3">Window</dt>
          <dd>
            <Time at={since} /> to <Time at={until} />
          </dd>
          <dt className="text-ink-3">States</dt>
          <dd>{states.join(', ')}</dd>
          <dt className="text-ink-3">Started</dt>
          <dd>
            <Time at={replay.created_at} relative />
          </dd>
          {replay.finished_at !== null && state !== 'running' && (
            <>
              <dt className="text-ink-3">{state === 'cancelled' ? 'Stopped' : 'Ended'}</dt>
              <dd>
                <Time at={replay.finished_at} />
              </dd>
            </>
          )}
        </dl>
      </div>
    </>
  )
}

/** Announces the end once to screen readers. */
function useEndTold(replay: Replay): void {
  const wasMoving = useRef(isMoving(replay))
  const moves = isMoving(replay)
  const words = replayHeadline(replay)
  useEffect(() => {
    if (wasMoving.current && !moves) announce(words)
    wasMoving.current = moves
  }, [moves, words])
  const isRunning = replay.state === 'running'
  useEffect(() => {
    // the stop button is gone, and the focus with it
    if (!isRunning && document.activeElement === document.body) document.getElementById('main')?.focus()
  }, [isRunning])
}
