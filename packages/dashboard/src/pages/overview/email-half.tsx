import type { Stats } from '@posthorn/contract'
import { useDeferredValue } from 'react'
import { OutcomeReasonsChart } from '../../charts/outcome-reasons-chart.tsx'
import { OutcomesChart } from '../../charts/outcomes-chart.tsx'
import { Comparison } from './comparison.tsx'
import { LatestBounces } from './latest-bounces.tsx'
import { OutcomeFigures } from './outcome-figures.tsx'
import { type OverviewRange, overviewRanges } from './overview-range.ts'
import { SectionTitle } from './section-title.tsx'
import { TopDomains } from './top-domains.tsx'
import { useEarlierOutcomes } from './use-earlier-outcomes.ts'

export interface EmailHalfProps {
  /** Undefined: not loaded yet; null: they cannot be loaded. */
  readonly stats: Stats | null | undefined
  readonly range: OverviewRange
}

/** How the email is doing: rates, outcomes over time, why some did not arrive, and where. */
export function EmailHalf({ stats: loaded, range }: EmailHalfProps) {
  const stats = loaded ?? undefined
  const earlier = useEarlierOutcomes(range, stats)
  const { span } = overviewRanges[range]
  const outcomes = stats?.outcomes ?? null
  // the first chart does not wait until the rest is drawn
  const below = useDeferredValue(stats, undefined)
  // without reasons there is a sentence in their place
  const hasReasons =
    loaded !== null && (outcomes === null || outcomes.total.bounced + outcomes.total.failed > 0)
  return (
    <section aria-label="Email" className="mb-10">
      <SectionTitle title="Email">An email to several recipients counts once for each.</SectionTitle>
      <Comparison stats={stats} range={range} />
      <OutcomeFigures stats={stats} earlier={earlier} />
      <div className={loaded === null ? '' : 'mb-6 min-h-60 wide:min-h-80'}>
        {stats !== undefined && outcomes !== null && (
          <OutcomesChart stats={stats} outcomes={outcomes} span={span} />
        )}
      </div>
      <div className="grid gap-x-8 gap-y-8 desk:grid-cols-2">
        <div className="min-w-0 space-y-8">
          <div className={hasReasons ? 'min-h-50 wide:min-h-58' : ''}>
            {below?.outcomes && (
              <OutcomeReasonsChart
                outcomes={below.outcomes}
                earlier={earlier}
                since={below.since}
                span={span}
              />
            )}
          </div>
          <LatestBounces />
        </div>
        {below?.outcomes && (
          <TopDomains outcomes={below.outcomes} earlier={earlier} thresholds={below.thresholds} />
        )}
      </div>
    </section>
  )
}
