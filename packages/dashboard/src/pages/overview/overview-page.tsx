import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
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

/** Is anything wrong, since when, what to do; then how much, how fast, and how old is what waits. */
export function OverviewPage() {
  const { range = defaultRange } = route.useSearch()
  const navigate = route.useNavigate()
  const health = useEndpointHealth()
  const webhooks = useWebhooks()
  const stats = useOverviewStats(range)
  const count = health.data?.filter(needsAttention).length ?? 0
  usePageTitle(count === 0 ? 'Overview' : `(${count}) Overview`, count > 0)

  const error = health.error ?? webhooks.error ?? stats.error
  const isFirstStart = webhooks.data?.length === 0
  return (
    <>
      <PageHeader
        title="Overview"
        actions={
          !isFirstStart && (
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
      {isFirstStart && <FirstSteps />}
      {!isFirstStart && <Content range={range} />}
    </>
  )
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
