import { suppressionStates } from '@posthorn/contract/plain'
import type { SuppressionFilters } from '../../app/suppression-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { FilterBar, type FilterChip } from '../../components/filter-bar.tsx'
import { among, chosenChip, recipientChip } from '../../components/filter-chips.tsx'
import { FilterText } from '../../components/filter-text.tsx'
import { Segments } from '../../components/segments.tsx'
import { suppressionStateWords } from './suppression-badge.tsx'

export interface SuppressionFilterBarProps {
  readonly filtering: Filtering<keyof SuppressionFilters>
  readonly result: string
}

const states = [
  { value: '', label: 'In force' },
  { value: 'lapsed', label: 'Lapsed' },
  { value: 'lifted', label: 'Lifted' },
  { value: suppressionStates.join(','), label: 'All' },
]

/** Filters for the list of suppressions: address and state; the chips of reasons are below. */
export function SuppressionFilterBar({ filtering, result }: SuppressionFilterBarProps) {
  const { filters, recipient, count, change, clear } = filtering
  const { state = '' } = filters
  return (
    <FilterBar chips={chipsFor(filtering)} count={count} onClear={clear} result={result}>
      <FilterText
        label="Address"
        placeholder="ann@example.org"
        value={recipient}
        onChange={value => change({ recipient: value })}
      />
      <Segments
        label="State"
        value={state}
        options={states}
        onChange={value => change({ state: value || null })}
      />
    </FilterBar>
  )
}

function chipsFor({ filters, recipient, change }: SuppressionFilterBarProps['filtering']): FilterChip[] {
  const { state } = filters
  const isOfSegments = states.some(({ value }) => value === state)
  return [
    // a state from the segments is already visible
    ...(isOfSegments
      ? []
      : chosenChip(
          'state',
          among(state, suppressionStates, value => suppressionStateWords[value]),
          change,
        )),
    ...recipientChip(recipient, change),
  ]
}
