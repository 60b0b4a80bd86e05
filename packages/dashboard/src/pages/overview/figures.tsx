import type { Stats } from '@posthorn/contract'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useNowMs } from '../../app/clock.ts'
import { deliveredShare, notDelivered, resultsOf } from '../../charts/buckets.ts'
import { FigureLink } from './figure-link.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { formatCount, formatDuration, formatShare } from '../../format/numbers.ts'
import { shortId } from '../../format/short-id.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import type { ListedEndpoint } from '../endpoints/listed-endpoint.ts'
import { Figure } from '../../components/figure.tsx'

export interface FiguresProps {
  readonly stats: Stats | undefined
  readonly endpoints: readonly ListedEndpoint[]
}

/** The number, speed, backlog and age of deliveries; each number links to its rows. */
export function Figures({ stats, endpoints }: FiguresProps) {
  return (
    <dl className="mb-6 grid grid-cols-2 gap-3 desk:grid-cols-4">
      <Delivered stats={stats} />
      <AnswerTime stats={stats} />
      <Waiting endpoints={endpoints} />
      <OldestWaiting endpoints={endpoints} />
    </dl>
  )
}

function Delivered({ stats }: { stats: Stats | undefined }) {
  const results = stats === undefined ? null : resultsOf(stats.total)
  const share = results === null ? null : deliveredShare(results)
  if (stats === undefined || results === null || share === null) {
    return (
      <Figure label="Webhooks delivered" value="—" detail={stats === undefined ? '' : 'nothing was sent'} />
    )
  }
  const { since } = stats
  return (
    <Figure
      label="Webhooks delivered"
      value={
        <FigureLink to="/deliveries" search={{ state: 'delivered', since }}>
          {formatShare(share)}
        </FigureLink>
      }
      detail={
        <>
          {formatCount(results.delivered)} of{' '}
          <TextLink to="/deliveries" search={{ since }}>
            {formatCount(results.delivered + notDelivered(results))} attempts
          </TextLink>
        </>
      }
    />
  )
}

function AnswerTime({ stats }: { stats: Stats | undefined }) {
  const p50 = stats?.total.p50_ms ?? null
  if (stats === undefined || p50 === null) return <Figure label="Answer time, p50" value="—" detail="" />
  const { p95_ms: p95, p99_ms: p99 } = stats.total
  return (
    <Figure
      label="Answer time, p50"
      value={
        <FigureLink to="/deliveries" search={{ since: stats.since }}>
          {formatDuration(p50)}
        </FigureLink>
      }
      detail={`p95 ${formatDuration(p95)}, p99 ${formatDuration(p99)}`}
    />
  )
}

function Waiting({ endpoints }: { endpoints: FiguresProps['endpoints'] }) {
  const waiting = endpoints.reduce((sum, { health }) => sum + health.waiting_count, 0)
  return (
    <Figure
      label="Waiting now"
      value={
        <FigureLink to="/deliveries" search={{ state: 'pending,failed' }}>
          {formatCount(waiting)}
        </FigureLink>
      }
      detail={<WaitingDetail endpoints={endpoints} />}
    />
  )
}

function WaitingDetail({ endpoints }: { endpoints: FiguresProps['endpoints'] }): ReactNode {
  const held = endpoints.filter(({ health }) => health.state === 'disabled' && health.waiting_count > 0)
  const [first] = held
  if (first === undefined) return 'for their next attempt'
  const count = formatCount(held.reduce((sum, { health }) => sum + health.waiting_count, 0))
  const link: Pick<LinkProps, 'to' | 'search'> =
    held.length === 1
      ? { to: '/deliveries', search: { state: 'pending,failed', endpoint: first.webhook.id } }
      : { to: '/endpoints' }
  return (
    <>
      <TextLink {...link}>{count}</TextLink> for{' '}
      {held.length === 1 ? 'a disabled one' : `${held.length} disabled ones`}
    </>
  )
}

function OldestWaiting({ endpoints }: { endpoints: FiguresProps['endpoints'] }) {
  const nowMs = useNowMs()
  const [oldest] = endpoints
    .flatMap(({ webhook, health }) =>
      health.oldest_waiting === null ? [] : [{ webhook, ...health.oldest_waiting }],
    )
    .toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since))
  if (oldest === undefined) return <Figure label="Oldest waiting" value="—" detail="nothing waits" />
  return (
    <Figure
      label="Oldest waiting"
      value={
        <FigureLink to="/deliveries/$id" params={{ id: oldest.delivery_id }}>
          {formatAge(nowMs - Date.parse(oldest.since))}
        </FigureLink>
      }
      detail={
        <>
          <TextLink to="/events/$id" params={{ id: oldest.event_id }} title={oldest.event_id}>
            {shortId(oldest.event_id)}
          </TextLink>{' '}
          → <bdi title={oldest.webhook.url}>{endpointName(oldest.webhook)}</bdi>
        </>
      }
    />
  )
}

/** Seconds would only distract in a duration of minutes. */
function formatAge(ms: number): string {
  return formatDuration(ms < 60_000 ? Math.max(0, ms) : Math.floor(ms / 60_000) * 60_000)
}
