import { useEffect } from 'react'
import { announce } from '../../app/announce.ts'
import type { EndpointFilters } from '../../app/endpoint-filters.ts'
import { Segments } from '../../components/segments.tsx'
import { countOf } from '../../format/numbers.ts'
import { isShown, type ListedEndpoint, narrowed } from './listed-endpoint.ts'

export interface EndpointFilterBarProps {
  readonly filters: EndpointFilters
  readonly endpoints: readonly ListedEndpoint[]
  readonly onFilter: (filters: EndpointFilters) => void
}

/** Filters the list by text and by attention. */
export function EndpointFilterBar({ filters, endpoints, onFilter }: EndpointFilterBarProps) {
  const { q, show } = filters
  const count = narrowed(endpoints, filters).length
  useEffect(() => {
    if (q !== undefined || show !== undefined) announce(`${countOf(count, 'endpoint', 'endpoints')} shown`)
  }, [q, show, count])
  const numberOf = (only: EndpointFilters['show']): number =>
    endpoints.filter(({ health }) => isShown(health, only)).length
  return (
    <div className="no-print mb-3 flex flex-wrap items-center gap-3">
      <input
        type="search"
        aria-label="URL or description"
        placeholder="URL or description"
        value={q ?? ''}
        onChange={event => {
          const { q: _, ...rest } = filters
          onFilter(event.target.value === '' ? rest : { ...rest, q: event.target.value })
        }}
        className="min-h-8 min-w-0 flex-1 basis-60 rounded border border-control bg-surface px-3 wide:max-w-80 pointer-coarse:min-h-11"
      />
      <Segments
        label="Which endpoints"
        value={show ?? 'all'}
        options={[
          { value: 'all', label: `All ${endpoints.length}` },
          { value: 'attention', label: `Need attention ${numberOf('attention')}` },
          { value: 'disabled', label: `Disabled ${numberOf('disabled')}` },
        ]}
        onChange={chosen => {
          const { show: _, ...rest } = filters
          onFilter(chosen === 'all' ? rest : { ...rest, show: chosen })
        }}
      />
    </div>
  )
}
