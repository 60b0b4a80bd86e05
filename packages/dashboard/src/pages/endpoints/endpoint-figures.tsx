import type { Webhook, WebhookHealth } from '@posthorn/contract'
import { useNowMs } from '../../app/clock.ts'
import { Figure } from '../../components/figure.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { formatCount, formatDuration, formatShare, formatSpan } from '../../format/numbers.ts'
import { attemptsWords, shareOf } from '../../words/share-words.ts'
import { FigureLink } from '../overview/figure-link.tsx'
import { rangeQuery } from '../overview/overview-range.ts'

/** The last 24 hours of an endpoint: how much arrived, how fast it answered, and what waits now. */
export function EndpointFigures({ webhook, health }: { webhook: Webhook; health: WebhookHealth }) {
  const nowMs = useNowMs()
  const { id } = webhook
  const { delivered, p50_ms: p50, p95_ms: p95 } = health.last_day
  const share = shareOf(health.last_day)
  const { since } = rangeQuery('24h', nowMs)
  const list = { to: '/endpoints/$id', params: { id } } as const
  return (
    <dl aria-label="Last 24 hours" className="mb-6 grid grid-cols-2 gap-3 desk:grid-cols-4">
      <Figure
        label="Webhooks delivered"
        value={
          <FigureLink {...list} search={{ state: 'delivered', since }}>
            {formatCount(delivered)}
          </FigureLink>
        }
        detail="in the last 24 hours"
      />
      <Figure
        label="Success rate"
        value={formatShare(share)}
        detail={share === null ? 'nothing was sent' : attemptsWords(health.last_day)}
      />
      <Figure
        label="Answer time, p50"
        value={formatDuration(p50)}
        detail={p95 === null ? '' : `p95 ${formatDuration(p95)}`}
      />
      <Figure
        label="Waiting now"
        value={
          <FigureLink {...list} search={{ state: 'pending,failed' }}>
            {formatCount(health.waiting_count)}
          </FigureLink>
        }
        detail={<Oldest health={health} nowMs={nowMs} />}
      />
    </dl>
  )
}

function Oldest({ health: { oldest_waiting: oldest }, nowMs }: { health: WebhookHealth; nowMs: number }) {
  if (oldest === null) return 'nothing waits'
  return (
    <>
      <TextLink to="/deliveries/$id" params={{ id: oldest.delivery_id }}>
        the oldest
      </TextLink>{' '}
      for {formatSpan(nowMs - Date.parse(oldest.since))}
    </>
  )
}
