import type { Delivery } from '@posthorn/contract'
import { attemptErrorTexts } from '@posthorn/contract/plain'
import { useEffect } from 'react'
import { useLive } from '../api/use-live.ts'
import { announce } from '../app/announce.ts'
import { useTitleNews } from '../app/page-title.ts'
import { formatDuration } from '../format/numbers.ts'
import { StateBadge } from './state-badge.tsx'
import { TextLink } from './text-link.tsx'

/** One delivery, refreshed every 2 s until its first attempt is over. The result is announced and shown in the tab. */
export function FollowedDelivery({ id }: { id: string }) {
  const { data: delivery } = useLive({
    key: ['deliveries', id, 'followed'],
    load: async (call, signal) => await call('getDelivery', { params: { id }, signal }),
    everyMs: latest => (latest === undefined || latest.state === 'pending' ? 2_000 : null),
  })
  const outcome = delivery === undefined ? null : outcomeOf(delivery)
  useTitleNews(delivery?.state === 'delivered' ? '✓ Delivered' : null)
  useEffect(() => {
    if (outcome !== null) announce(`Test event: ${outcome}`)
  }, [outcome])
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <StateBadge state={delivery?.state ?? 'pending'}>{detailOf(delivery)}</StateBadge>
      <TextLink to="/deliveries/$id" params={{ id }}>
        Open
        <span className="sr-only"> the delivery of the test event</span>
      </TextLink>
    </span>
  )
}

/** `200 in 84 ms`, or why it failed; nothing while the attempt is under way. */
function detailOf(delivery: Delivery | undefined): string | undefined {
  const attempt = delivery?.attempts?.at(-1)
  if (delivery === undefined || delivery.state === 'pending' || attempt === undefined) return undefined
  if (attempt.outcome === 'delivered')
    return `${attempt.status_code} in ${formatDuration(attempt.duration_ms)}`
  return attempt.status_code === null && attempt.error !== null
    ? attemptErrorTexts[attempt.error.code].label
    : `${attempt.status_code} from your server`
}

function outcomeOf(delivery: Delivery): string | null {
  const detail = detailOf(delivery)
  return detail === undefined ? null : `${delivery.state}, ${detail}`
}
