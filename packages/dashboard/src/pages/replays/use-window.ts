import type { WebhookHealth } from '@posthorn/contract'
import type { ReplayChoice } from '../../app/replay-choice.ts'
import { replayWindow } from '../../outages/replay-window.ts'
import type { SeenOutage } from '../../outages/last-outage.ts'
import { useOutage } from '../../outages/use-outage.ts'
import type { ReplayWindow } from './use-dry-runs.ts'

const dayMs = 86_400_000

export interface ProposedWindow {
  /** The window in the form; null until a proposal is known. */
  readonly window: ReplayWindow | null
  readonly outage: SeenOutage | null
  /** The window of the outage, or of the waiting deliveries. */
  readonly proposal: ReplayWindow | null
}

/** The window: from the URL, else from the outage that we saw, else the last day. */
export function useWindow(
  webhookId: string,
  choice: ReplayChoice,
  health: WebhookHealth | undefined,
): ProposedWindow {
  const { data: outage, isPending } = useOutage(webhookId)
  const { since, until } = choice
  const isKnown = health !== undefined && !isPending
  const proposed = isKnown ? replayWindow(outage ?? null, health) : {}
  const proposal = proposed.since === undefined ? null : { since: proposed.since, until: proposed.until }
  return {
    window: since !== undefined ? { since, until } : isKnown ? (proposal ?? lastDay()) : null,
    outage: outage ?? null,
    proposal,
  }
}

/** Rounded to whole hours, so that the request stays the same for a while. */
function lastDay(): ReplayWindow {
  const sinceMs = Math.floor((Date.now() - dayMs) / 3_600_000) * 3_600_000
  return { since: new Date(sinceMs).toISOString(), until: undefined }
}
