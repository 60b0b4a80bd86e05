import type { Delivery, Webhook } from '@posthorn/contract'
import { useMayChange } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Time } from '../../components/time.tsx'
import { RetryButton } from './retry-button.tsx'
import { useRetry } from './use-retry.ts'

export interface NextTryProps {
  readonly delivery: Delivery
  readonly endpoint: Webhook | undefined
}

/** When the next attempt is; an exhausted delivery has a retry button. */
export function NextTry({ delivery, endpoint }: NextTryProps) {
  const mayChange = useMayChange()
  const retry = useRetry(delivery)
  const { state, next_attempt_at: next } = delivery
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
        <Time at={next} />
      </>
    )
  }
  const isWaiting = state === 'failed' || state === 'pending'
  return isWaiting && endpoint?.status === 'disabled' ? 'waits' : '—'
}
