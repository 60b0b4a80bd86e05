import type { WebhookHealth } from '@posthorn/contract'
import { isBack } from '../words/is-back.ts'
import type { Return } from '../words/health-words.ts'
import { replayWindow } from './replay-window.ts'
import { useOutage } from './use-outage.ts'

/** The recovery of an endpoint from its latest outage, and what to replay; null if it has not recovered from one. */
export function useReturn(
  webhookId: string,
  health: WebhookHealth | undefined,
): { back: Return; window: ReturnType<typeof replayWindow> } | null {
  const hasReturned = health !== undefined && isBack(health)
  const { data: outage = null } = useOutage(webhookId, { enabled: hasReturned })
  if (!hasReturned) return null
  const backMs = outage?.isToTheMinute === true ? outage.untilMs : null
  return {
    back: {
      since: backMs === null ? null : new Date(backMs).toISOString(),
      waiting: health.waiting_count,
      lastDueAt: health.last_due_at,
      givenUp: outage?.givenUp ?? null,
    },
    window: replayWindow(outage, health),
  }
}
