import type { Delivery, Webhook } from '@posthorn/contract'
import { useNowMs } from '../../app/clock.ts'
import { useMayChange } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Time } from '../../components/time.tsx'
import { waitingLabels } from '../../words/waiting-words.ts'
import { RetryButton } from './retry-button.tsx'
import { useRetry } from './use-retry.ts'

export interface NextTryProps {
  readonly delivery: Delivery
  readonly endpoint: Webhook | undefined
}

/** When the next attempt is, or what it waits for; an exhausted delivery has a retry button. */
export function NextTry({ delivery, endpoint }: NextTryProps) {
  const mayChange = useMayChange()
  const retry = useRetry(delivery)
  const { state, next_attempt_at: next, waiting_for: waiting } = delivery
  if (state === 'exhausted' && mayChange) {
    return (
      <span className="relative z-1">
        <RetryButton delivery={delivery} endpoint={endpoint} retry={retry} label="Retry" isSmall />
        <ActionProblem error={retry.error} />
      </span>
    )
  }
  if (next !== null) {
    return (
      <>
        <span className="text-ink-3 roomy:hidden">next </span>
        <Upcoming at={next} />
      </>
    )
  }
  if (waiting !== null) return waitingLabels[waiting.reason]
  if (state === 'failed' || state === 'pending') return 'now'
  return <span className="max-roomy:hidden">—</span>
}

/** The row may be some seconds old, and then the moment has passed. */
function Upcoming({ at }: { readonly at: string }) {
  return Date.parse(at) <= useNowMs() ? 'now' : <Time at={at} />
}
