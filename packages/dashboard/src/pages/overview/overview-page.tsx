import type { WebhookHealth } from '@posthorn/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { useEndpointHealth } from '../../api/use-endpoint-health.ts'
import { useSendingLimits } from '../../api/use-sending-limits.ts'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Segments } from '../../components/segments.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { needsAttention } from '../../words/needs-attention.ts'
import { byNeed, listedEndpoints } from '../endpoints/listed-endpoint.ts'
import { DomainNotices, useSendingDomains } from './domain-notices.tsx'
import { EmailHalf } from './email-half.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Notices } from './notices.tsx'
import { type OverviewRange, overviewRanges } from './overview-range.ts'
import { SendingNotice } from './sending-notice.tsx'
import { useFirstSteps } from './use-first-steps.ts'
import { type OverviewStats, useOverviewStats } from './use-overview-stats.ts'
import { WebhookHalf } from './webhook-half.tsx'

const route = getRouteApi('/signed-in/')

const rangeOptions = (Object.keys(overviewRanges) as OverviewRange[]).map(value => ({
  value,
  label: overviewRanges[value].label,
}))

/** Whether something is wrong and what to do; then how the email is doing, and how the webhooks are doing. */
export function OverviewPage() {
  const { range: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const health = useEndpointHealth()
  const webhooks = useWebhooks()
  const stats = useOverviewStats(chosen)
  const count = health.data?.filter(needsAttention).length ?? 0
  usePageTitle(count === 0 ? 'Overview' : `(${count}) Overview`, count > 0)

  const error = health.error ?? webhooks.error ?? stats.query.error
  const isNew = webhooks.data?.length === 0 || isAllNew(health.data)
  const [steps, setSteps] = useState<'unseen' | 'shown' | 'left'>('unseen')
  const done = useFirstSteps(isNew || steps === 'shown')
  const hasMailOnly = webhooks.data?.length === 0 && done.hasEvent === true
  const isKnown = done.hasDelivered !== undefined && done.hasEvent !== undefined
  // the steps stay until the reader has seen the last one done
  if (steps === 'unseen' && isNew && isKnown && done.hasDelivered === false) {
    setSteps(hasMailOnly ? 'left' : 'shown')
  }
  const isFirstStart = steps === 'shown'
  const isUnclear = steps === 'unseen' && isNew && !isKnown
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          !isFirstStart &&
          !isUnclear && (
            <Segments
              label="Range"
              value={stats.range}
              options={rangeOptions}
              onChange={range => void navigate({ search: { range }, replace: true })}
            />
          )
        }
      />
      {error !== null && (
        <div className="mb-4">
          <Problem
            error={error}
            readAtMs={stats.query.dataUpdatedAt}
            onRetry={() => void Promise.all([health.refetch(), webhooks.refetch(), stats.query.refetch()])}
          />
        </div>
      )}
      <div className="mb-4 empty:hidden">
        <SendingNotice />
      </div>
      {isUnclear && <Skeleton lines={4} linePx={56} />}
      {isFirstStart && <FirstSteps done={done} onLeave={() => setSteps('left')} />}
      {!isFirstStart && !isUnclear && <Content stats={stats} />}
    </>
  )
}

function isAllNew(health: readonly WebhookHealth[] | undefined): boolean {
  return health !== undefined && health.length > 0 && health.every(({ state }) => state === 'new')
}

function Content({ stats: { range, query } }: { stats: OverviewStats }) {
  const health = useEndpointHealth()
  const webhooks = useWebhooks()
  const domains = useSendingDomains()
  // the rest of the page does not depend on them
  const sending = useSendingLimits()
  const listed = listedEndpoints(webhooks.data, health.data)
  // the problem at the top says why they are missing
  const stats = query.data ?? (query.error === null ? undefined : null)
  // the first charts do not wait until those below are drawn
  const later = useDeferredValue(stats, undefined)
  const hasFailed = health.error !== null || webhooks.error !== null
  const isOpen = listed !== undefined || hasFailed
  if (!isOpen || domains === undefined || sending.isPending || range === null) {
    return <Skeleton lines={12} linePx={48} />
  }
  // the problem at the top says it all
  if (listed === undefined && stats === null) return null
  const endpoints = listed === undefined ? undefined : byNeed(listed)
  return (
    <>
      <div className="mb-6 space-y-2 empty:hidden">
        {endpoints !== undefined && <Notices endpoints={endpoints} />}
        <DomainNotices domains={domains} />
      </div>
      <EmailHalf stats={stats} range={range} />
      {endpoints !== undefined && <WebhookHalf stats={later} range={range} endpoints={endpoints} />}
    </>
  )
}
