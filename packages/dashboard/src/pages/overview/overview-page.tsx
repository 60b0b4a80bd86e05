import type { WebhookHealth } from '@posthorn/contract'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useEndpointHealth } from '../../api/use-endpoint-health.ts'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Segments } from '../../components/segments.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { needsAttention } from '../../words/needs-attention.ts'
import { byNeed, listedEndpoints } from '../endpoints/listed-endpoint.ts'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Notices } from './notices.tsx'
import { defaultRange, type OverviewRange, overviewRanges } from './overview-range.ts'
import { useFirstSteps } from './use-first-steps.ts'
import { useOverviewStats } from './use-overview-stats.ts'
import { WorstEndpoints } from './worst-endpoints.tsx'

const route = getRouteApi('/signed-in/')

const ResultsChart = lazy(async () => ({ default: (await import('../../charts/pictures.ts')).ResultsChart }))
const LatencyChart = lazy(async () => ({ default: (await import('../../charts/pictures.ts')).LatencyChart }))
const ReasonsChart = lazy(async () => ({ default: (await import('../../charts/pictures.ts')).ReasonsChart }))

const rangeOptions = (Object.keys(overviewRanges) as OverviewRange[]).map(value => ({
  value,
  label: overviewRanges[value].label,
}))

/** Whether something is wrong, since when and what to do; then how much, how fast, and how old the backlog is. */
export function OverviewPage() {
  const { range = defaultRange } = route.useSearch()
  const navigate = route.useNavigate()
  const health = useEndpointHealth()
  const webhooks = useWebhooks()
  const stats = useOverviewStats(range)
  const count = health.data?.filter(needsAttention).length ?? 0
  usePageTitle(count === 0 ? 'Overview' : `(${count}) Overview`, count > 0)

  const error = health.error ?? webhooks.error ?? stats.error
  const isNew = webhooks.data?.length === 0 || isAllNew(health.data)
  const [steps, setSteps] = useState<'unseen' | 'shown' | 'left'>('unseen')
  const done = useFirstSteps(isNew || steps === 'shown')
  // the steps stay until the reader has seen the last one done
  if (steps === 'unseen' && isNew && done.hasDelivered === false) setSteps('shown')
  const isFirstStart = steps === 'shown'
  const isUnclear = steps === 'unseen' && isNew && done.hasDelivered === undefined
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          !isFirstStart &&
          !isUnclear && (
            <Segments
              label="Range"
              value={range}
              options={rangeOptions}
              onChange={chosen => void navigate({ search: { range: chosen }, replace: true })}
            />
          )
        }
      />
      {error !== null && (
        <div className="mb-4">
          <Problem
            error={error}
            readAtMs={stats.dataUpdatedAt}
            onRetry={() => void Promise.all([health.refetch(), webhooks.refetch(), stats.refetch()])}
          />
        </div>
      )}
      {isUnclear && <Skeleton lines={4} linePx={56} />}
      {isFirstStart && <FirstSteps done={done} onLeave={() => setSteps('left')} />}
      {!isFirstStart && !isUnclear && <Content range={range} />}
    </>
  )
}

function isAllNew(health: readonly WebhookHealth[] | undefined): boolean {
  return health !== undefined && health.length > 0 && health.every(({ state }) => state === 'new')
}

function Content({ range }: { range: OverviewRange }) {
  const { data: health } = useEndpointHealth()
  const { data: webhooks } = useWebhooks()
  const { data: stats } = useOverviewStats(range)
  const listed = listedEndpoints(webhooks, health)
  if (listed === undefined) return <Skeleton lines={12} linePx={48} />
  const endpoints = byNeed(listed)
  const { span } = overviewRanges[range]
  const waiting = endpoints.reduce((sum, endpoint) => sum + endpoint.health.waiting_count, 0)
  return (
    <>
      <Notices endpoints={endpoints} />
      <Figures stats={stats} endpoints={endpoints} />
      <div className="mb-6 min-h-60 wide:min-h-80">
        {stats !== undefined && (
          <Suspense>
            <ResultsChart stats={stats} span={span} waiting={waiting} />
          </Suspense>
        )}
      </div>
      <div className="grid gap-x-6 gap-y-8 desk:grid-cols-3">
        <WorstEndpoints endpoints={endpoints} />
        <div className="min-h-56 wide:min-h-68">
          {stats !== undefined && (
            <Suspense>
              <LatencyChart stats={stats} span={span} />
            </Suspense>
          )}
        </div>
        <div className="min-h-56 wide:min-h-68">
          {stats !== undefined && (
            <Suspense>
              <ReasonsChart stats={stats} span={span} />
            </Suspense>
          )}
        </div>
      </div>
    </>
  )
}
