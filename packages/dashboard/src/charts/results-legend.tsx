import type { DeliveryState } from '@posthorn/contract'
import { CircleCheck, CircleDashed, type LucideIcon, OctagonX, RotateCw } from 'lucide-react'
import { TextLink } from '../components/text-link.tsx'
import { formatCount } from '../format/numbers.ts'
import type { Results } from './buckets.ts'
import { useChartScope } from './chart-scope.ts'

export interface ResultsLegendProps {
  readonly total: Results
  readonly waiting: number | null
  readonly since: string
}

/** The legend: each mark with its number, which links to its deliveries. */
export function ResultsLegend({ total, waiting, since }: ResultsLegendProps) {
  const entries: readonly { state: DeliveryState; count: number | null; word: string; since?: string }[] = [
    { state: 'delivered', count: total.delivered, word: 'Delivered', since },
    { state: 'failed', count: total.failed, word: 'Failed', since },
    { state: 'exhausted', count: total.exhausted, word: 'Exhausted', since },
  ]
  const scope = useChartScope()
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 text-label text-ink-2">
      {entries.map(({ state, count, word, since: from }) => (
        <li key={state} className="inline-flex min-h-6 items-center gap-1.5 pointer-coarse:min-h-11">
          <Swatch state={state} />
          {word}{' '}
          <TextLink to="/deliveries" search={{ ...scope, state, ...(from !== undefined && { since: from }) }}>
            {formatCount(count)}
          </TextLink>
        </li>
      ))}
      <li className="inline-flex min-h-6 items-center gap-1.5 pointer-coarse:min-h-11">
        <Swatch state="pending" />
        Pending now{' '}
        <TextLink to="/deliveries" search={{ ...scope, state: 'pending,failed' }}>
          {formatCount(waiting)}
        </TextLink>
      </li>
    </ul>
  )
}

const looks: Record<DeliveryState, { icon: LucideIcon; swatch: string; ink: string }> = {
  delivered: { icon: CircleCheck, swatch: 'bg-c-delivered', ink: 'text-delivered' },
  failed: { icon: RotateCw, swatch: 'bg-c-failed', ink: 'text-failed' },
  exhausted: { icon: OctagonX, swatch: 'hatched', ink: 'text-exhausted' },
  pending: { icon: CircleDashed, swatch: 'border border-dashed border-c-pending', ink: 'text-pending' },
}

function Swatch({ state }: { state: DeliveryState }) {
  const { icon: Icon, swatch, ink } = looks[state]
  return (
    <>
      <span aria-hidden className={`size-3 ${swatch}`} />
      <Icon size={14} aria-hidden className={ink} />
    </>
  )
}
