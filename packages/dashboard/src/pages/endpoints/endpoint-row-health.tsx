import type { WebhookHealth } from '@posthorn/contract'
import { KeyRound, TriangleAlert } from 'lucide-react'
import { useLive } from '../../api/use-live.ts'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { HealthBadge } from '../../components/health-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { formatCount, formatShare } from '../../format/numbers.ts'
import { shareOf } from '../../words/share-words.ts'
import { certificateWords, rowDetailWords, rowStateWords } from '../../words/endpoint-row-words.ts'

/** The health of an endpoint in two lines, and warnings. */
export function EndpointRowHealth({ health }: { health: WebhookHealth }) {
  const { zone } = usePreferences()
  const nowMs = useNowMs()
  const reader = { zone, nowMs }
  const share = shareOf(health.last_day)
  // on phones there are no columns for them
  const figures = [
    ...(share === null ? [] : [`${formatShare(share)} delivered in 24 h`]),
    ...(health.waiting_count === 0 ? [] : [`${formatCount(health.waiting_count)} waiting`]),
  ]
  const detail = rowDetailWords(health, reader)
  const certificate = certificateWords(health.certificate_expires_at, nowMs)
  return (
    <div className="space-y-0.5 py-1">
      <div className="flex flex-wrap items-center gap-x-2">
        <HealthBadge health={health}>{rowStateWords(health, reader)}</HealthBadge>
        <RotationFlag webhookId={health.webhook_id} />
      </div>
      <div className="text-ink-2 empty:hidden wide:hidden">{figures.join(' · ')}</div>
      {detail !== null && <div className="text-label text-balance text-ink-2">{detail}</div>}
      {certificate !== null && (
        <div className="flex items-center gap-1 text-label text-failed">
          <TriangleAlert size={12} aria-hidden />
          {certificate}
        </div>
      )}
    </div>
  )
}

/** Says that a replacement of the signing secret exists and does not sign yet. */
function RotationFlag({ webhookId: id }: { webhookId: string }) {
  const { data: isUnderWay } = useLive({
    key: ['rotation-under-way', id],
    load: async (call, signal) => {
      const keys = await call('listSigningKeys', { params: { id }, query: { limit: 25 }, signal })
      return keys.data.some(key => key.state === 'staged')
    },
    everyMs: 120_000,
  })
  if (isUnderWay !== true) return null
  return (
    <span className="inline-flex items-center gap-1 text-label">
      <KeyRound size={12} aria-hidden />
      <TextLink to="/endpoints/$id/keys" params={{ id }}>
        rotation: step 2 of 3
      </TextLink>
    </span>
  )
}
