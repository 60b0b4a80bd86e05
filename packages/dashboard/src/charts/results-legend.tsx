import type { DeliveryState } from '@posthorn/contract'
import { TextLink } from '../components/text-link.tsx'
import { formatCount } from '../format/numbers.ts'
import type { Results } from './buckets.ts'
import { useChartScope } from './chart-scope.ts'
import { Legend, LegendEntry } from './legend.tsx'

export interface ResultsLegendProps {
  readonly total: Results
  readonly waiting: number | null
  readonly since: string
}

/** The legend: each mark with its number, which links to its deliveries. */
export function ResultsLegend({ total, waiting, since }: ResultsLegendProps) {
  const entries: readonly { state: DeliveryState; count: number; word: string }[] = [
    { state: 'delivered', count: total.delivered, word: 'Delivered' },
    { state: 'failed', count: total.failed, word: 'Failed' },
    { state: 'exhausted', count: total.exhausted, word: 'Exhausted' },
  ]
  const scope = useChartScope()
  return (
    <Legend>
      {entries.map(({ state, count, word }) => (
        <LegendEntry key={state} look={looks[state]} word={word}>
          <TextLink to="/deliveries" search={{ ...scope, state, since }}>
            {formatCount(count)}
          </TextLink>
        </LegendEntry>
      ))}
      <LegendEntry look={looks.pending} word="Pending now">
        <TextLink to="/deliveries" search={{ ...scope, state: 'pending,failed' }}>
          {formatCount(waiting)}
        </TextLink>
      </LegendEntry>
    </Legend>
  )
}

const looks: Record<DeliveryState, string> = {
  delivered: 'bg-c-delivered',
  failed: 'bg-c-failed',
  exhausted: 'hatched',
  pending: 'border border-dashed border-c-pending',
}
