import { emailStates } from '@posthorn/contract/plain'
import type { EmailFilters } from '../../app/email-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { EmailStateIcon } from '../../components/email-state-badge.tsx'
import { FilterBar, type FilterChip } from '../../components/filter-bar.tsx'
import { among, chosenChip, recipientChip, timeChips } from '../../components/filter-chips.tsx'
import { FilterText } from '../../components/filter-text.tsx'
import { Segments } from '../../components/segments.tsx'
import { TimeFilter } from '../../components/time-filter.tsx'
import { emailStateWords } from '../../words/email-words.ts'

export interface EmailFilterBarProps {
  readonly filtering: Filtering<keyof EmailFilters>
  readonly result: string
}

const states = [
  { value: '', label: 'All' },
  ...emailStates.map(state => ({
    value: state,
    label: (
      <span className="inline-flex items-center gap-1">
        <EmailStateIcon state={state} />
        <span className="max-roomy:not-in-[dialog]:sr-only">{emailStateWords[state]}</span>
      </span>
    ),
  })),
]

/** Filters for the list of emails: state of a recipient, time and address. */
export function EmailFilterBar({ filtering, result }: EmailFilterBarProps) {
  const { filters, recipient, count, change, clear } = filtering
  const { state = '', since, until } = filters
  return (
    <FilterBar chips={chipsFor(filtering)} count={count} onClear={clear} result={result}>
      <Segments
        label="State"
        value={state}
        options={states}
        onChange={value => change({ state: value || null })}
      />
      <TimeFilter since={since} until={until} onChange={change} />
      <FilterText label="Recipient" value={recipient} onChange={value => change({ recipient: value })} />
    </FilterBar>
  )
}

function chipsFor({ filters, recipient, change }: EmailFilterBarProps['filtering']): FilterChip[] {
  const isOfSegments = states.some(({ value }) => value === filters.state)
  const stateNames = among(filters.state, emailStates, value => emailStateWords[value])
  return [
    // a state from the segments is already visible
    ...(isOfSegments ? [] : chosenChip('state', stateNames, change)),
    ...recipientChip(recipient, change),
    ...timeChips(filters, change),
  ]
}
