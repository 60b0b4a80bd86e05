import type { Stats } from '@posthorn/contract'
import { LatencyChart } from '../../charts/latency-chart.tsx'
import { ReasonsChart } from '../../charts/reasons-chart.tsx'
import { ResultsChart } from '../../charts/results-chart.tsx'
import type { ListedEndpoint } from '../endpoints/listed-endpoint.ts'
import { EndpointStates } from './endpoint-states.tsx'
import { Figures } from './figures.tsx'
import { type OverviewRange, overviewRanges } from './overview-range.ts'
import { Resolved } from './resolved.tsx'
import { SectionTitle } from './section-title.tsx'

export interface WebhookHalfProps {
  /** Undefined: not loaded yet; null: they cannot be loaded. */
  readonly stats: Stats | null | undefined
  readonly range: OverviewRange
  /** The worst first. */
  readonly endpoints: readonly ListedEndpoint[]
}

/** How the webhooks are doing: how many, how fast, and each endpoint's state. */
export function WebhookHalf({ stats: loaded, range, endpoints }: WebhookHalfProps) {
  const stats = loaded ?? undefined
  const { span } = overviewRanges[range]
  const waiting = endpoints.reduce((sum, { health }) => sum + health.waiting_count, 0)
  return (
    <section aria-label="Webhooks">
      <SectionTitle title="Webhooks" />
      <Figures stats={stats} endpoints={endpoints} />
      <div className={loaded === null ? '' : 'mb-6 min-h-60 wide:min-h-80'}>
        {stats !== undefined && <ResultsChart stats={stats} span={span} waiting={waiting} />}
      </div>
      <div className="grid gap-x-8 gap-y-8 desk:grid-cols-[3fr_2fr]">
        <div className="min-w-0 space-y-8">
          <EndpointStates endpoints={endpoints} />
          <Resolved endpoints={endpoints} />
        </div>
        <div className={`min-w-0 space-y-8 ${loaded === null ? 'hidden' : ''}`}>
          <div className="min-h-56 wide:min-h-68">
            {stats !== undefined && <LatencyChart stats={stats} span={span} />}
          </div>
          <div className="min-h-56 wide:min-h-68">
            {stats !== undefined && <ReasonsChart stats={stats} span={span} />}
          </div>
        </div>
      </div>
    </section>
  )
}
