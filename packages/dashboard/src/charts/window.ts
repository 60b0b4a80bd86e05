import { useNavigate } from '@tanstack/react-router'
import type { Bucket } from './buckets.ts'
import { useChartScope } from './chart-scope.ts'

/** The time filter of adjacent bars; without an end if the last bar is not over yet. */
export function windowOf(bars: readonly Bucket[]): { since?: string; until?: string } {
  const first = bars[0]
  const last = bars.at(-1)
  if (first === undefined || last === undefined) return {}
  const since = new Date(first.fromMs).toISOString()
  return last.isSoFar ? { since } : { since, until: new Date(last.untilMs).toISOString() }
}

/** A list whose rows a chart counts. */
export type WindowList = 'deliveries' | 'events'

/** Opens the rows of these bars. */
export function useOpenWindow(list: WindowList): (bars: readonly Bucket[]) => void {
  const navigate = useNavigate()
  const scope = useChartScope()
  return bars => {
    const search = windowOf(bars)
    void (list === 'events'
      ? navigate({ to: '/events', search })
      : navigate({ to: '/deliveries', search: { ...scope, ...search } }))
  }
}
