import { suppressionReasons, suppressionStates } from '@posthorn/contract/plain'
import type { SuppressionFilters } from '../../app/suppression-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { FilterBar, type FilterChip } from '../../components/filter-bar.tsx'
import { among, chosenChip, countIn, recipientChip } from '../../components/filter-chips.tsx'
import { FilterChoices, FilterMenu } from '../../components/filter-menu.tsx'
import { FilterText } from '../../components/filter-text.tsx'
import { Segments } from '../../components/segments.tsx'
import { suppressionReasonWords } from '../../words/suppression-words.ts'
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
const reasons = suppressionReasons.map(value => ({ value, label: suppressionReasonWords[value] }))

/** Filters for the list of suppressions: address, state and reason. */
export function SuppressionFilterBar({ filtering, result }: SuppressionFilterBarProps) {
  const { filters, recipient, count, change, clear } = filtering
  const { state = '', reason } = filters
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
      <FilterMenu label="Reason" count={countIn(reason)}>
        <FilterChoices options={reasons} chosen={reason} onChange={chosen => change({ reason: chosen })} />
      </FilterMenu>
    </FilterBar>
  )
}

function chipsFor({ filters, recipient, change }: SuppressionFilterBarProps['filtering']): FilterChip[] {
  const { state, reason } = filters
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
    ...chosenChip(
      'reason',
      among(reason, suppressionReasons, value => suppressionReasonWords[value]),
      change,
    ),
    ...recipientChip(recipient, change),
  ]
}
