import type { Webhook } from '@posthorn/contract'
import { lazy, Suspense, useState } from 'react'
import { useLive } from '../../api/use-live.ts'
import { useNowMs } from '../../app/clock.ts'
import { ChartScopeProvider } from '../../charts/chart-scope.ts'
import { Segments } from '../../components/segments.tsx'
import { type OverviewRange, overviewRanges, rangeQuery } from '../overview/overview-range.ts'

const ResultsChart = lazy(async () => ({
  default: (await import('../../charts/results-chart.tsx')).ResultsChart,
}))

const hourMs = 3_600_000

const options = (Object.keys(overviewRanges) as OverviewRange[]).map(value => ({
  value,
  label: overviewRanges[value].label,
}))

/** The results of an endpoint, at first over the last 24 hours, or the last hour while the endpoint is younger. */
export function EndpointChart({ webhook, waiting }: { webhook: Webhook; waiting: number }) {
  const { id } = webhook
  const [chosen, setChosen] = useState<OverviewRange | null>(null)
  const isYoung = useNowMs() - Date.parse(webhook.created_at) < hourMs
  const range = chosen ?? (isYoung ? '1h' : '24h')
  const { data: stats } = useLive({
    key: ['stats', range, id],
    load: async (call, signal) =>
      await call('getStats', { query: { ...rangeQuery(range, Date.now()), webhook_id: id }, signal }),
    everyMs: 15_000,
  })
  return (
    <div className="mb-6 space-y-2">
      <Segments label="Range of the chart" value={range} options={options} onChange={setChosen} />
      <div className="min-h-60 wide:min-h-80">
        {stats !== undefined && (
          <ChartScopeProvider value={{ endpoint: id }}>
            <Suspense>
              <ResultsChart stats={stats} span={overviewRanges[range].span} waiting={waiting} />
            </Suspense>
          </ChartScopeProvider>
        )}
      </div>
    </div>
  )
}
