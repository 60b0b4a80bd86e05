import { useLive } from '../../api/use-live.ts'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { Button } from '../../components/button.tsx'
import { nothingToReplayWords } from '../../words/replay-words.ts'
import type { ReplayWindow } from './use-dry-runs.ts'

const weekMs = 7 * 86_400_000

export interface NothingToReplayProps {
  readonly webhookId: string
  readonly window: ReplayWindow
  readonly onWiden: (window: ReplayWindow) => void
}

/** Says when the last exhausted delivery was, and widens the window to it. */
export function NothingToReplay({ webhookId, window, onWiden }: NothingToReplayProps) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const { data } = useLive({
    key: ['deliveries', webhookId, 'last exhausted'],
    load: async call =>
      await call('listDeliveries', { params: { id: webhookId }, query: { state: ['exhausted'], limit: 1 } }),
    everyMs: null,
  })
  const lastAt = data?.data[0]?.created_at ?? null
  const lastMs = lastAt === null ? null : Date.parse(lastAt)
  const sinceMs = Date.parse(window.since)
  const widerMs = Math.floor(Math.min(sinceMs - weekMs, lastMs ?? sinceMs) / 60_000) * 60_000
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p>{nothingToReplayWords(lastAt, { zone, nowMs })}</p>
      <Button onClick={() => onWiden({ since: new Date(widerMs).toISOString(), until: undefined })}>
        Widen
      </Button>
    </div>
  )
}
