import type { Webhook } from '@posthorn/contract'
import { lazy, Suspense } from 'react'
import { useLive } from '../../api/use-live.ts'
import { useNowMs } from '../../app/clock.ts'
import { ChartScopeProvider } from '../../charts/chart-scope.ts'
import { overviewRanges, rangeQuery } from '../overview/overview-range.ts'

const ResultsChart = lazy(async () => ({ default: (await import('../../charts/pictures.ts')).ResultsChart }))

const hourMs = 3_600_000

/** The results of an endpoint over the last 24 hours, or the last hour while the endpoint is younger. */
export function EndpointChart({ webhook, waiting }: { webhook: Webhook; waiting: number }) {
  const { id } = webhook
  const range = useNowMs() - Date.parse(webhook.created_at) < hourMs ? '1h' : '24h'
  const { data: stats } = useLive({
    key: ['stats', range, id],
    load: async (call, signal) =>
      await call('getStats', { query: { ...rangeQuery(range, Date.now()), webhook_id: id }, signal }),
    everyMs: 15_000,
  })
  return (
    <div className="mb-6 min-h-60 wide:min-h-80">
      {stats !== undefined && (
        <ChartScopeProvider value={{ endpoint: id }}>
          <Suspense>
            <ResultsChart stats={stats} span={overviewRanges[range].span} waiting={waiting} />
          </Suspense>
        </ChartScopeProvider>
      )}
    </div>
  )
}
