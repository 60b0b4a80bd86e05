import { eventTypes } from '@posthorn/contract/plain'
import type { EventFilters } from '../../app/event-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { EventTypeIcon } from '../../components/event-type-badge.tsx'
import { FilterBar, type FilterChip } from '../../components/filter-bar.tsx'
import { chosenChip, countIn, recipientChip, timeChips } from '../../components/filter-chips.tsx'
import { FilterChoices, FilterMenu } from '../../components/filter-menu.tsx'
import { FilterText } from '../../components/filter-text.tsx'
import { TimeFilter } from '../../components/time-filter.tsx'
import { reasonWords } from '../../words/event-reason.ts'

export interface EventFilterBarProps {
  readonly filtering: Filtering<keyof EventFilters>
  readonly result: string
}

const types = eventTypes.map(value => ({
  value,
  label: (
    <>
      <EventTypeIcon type={value} /> {value}
    </>
  ),
}))

/** Filters for the list of events: type, reason, email, recipient and time. Rows and charts choose the reason. */
export function EventFilterBar({ filtering, result }: EventFilterBarProps) {
  const { filters, recipient, count, change, clear } = filtering
  const { type, email, since, until } = filters
  return (
    <FilterBar chips={chipsFor(filtering)} count={count} onClear={clear} result={result}>
      <FilterMenu label="Type" count={countIn(type)}>
        <FilterChoices options={types} chosen={type} onChange={chosen => change({ type: chosen })} />
      </FilterMenu>
      <TimeFilter since={since} until={until} onChange={change} />
      <FilterText label="Email id" value={email} onChange={value => change({ email: value })} />
      <FilterText label="Recipient" value={recipient} onChange={value => change({ recipient: value })} />
    </FilterBar>
  )
}

function chipsFor({ filters, recipient, change }: EventFilterBarProps['filtering']): FilterChip[] {
  const { type, reason, email } = filters
  return [
    ...chosenChip('type', type?.replaceAll(',', ', '), change),
    ...chosenChip('reason', reason === undefined ? undefined : reasonWords(reason), change),
    ...chosenChip('email', email === undefined ? undefined : `email ${email}`, change),
    ...recipientChip(recipient, change),
    ...timeChips(filters, change),
  ]
}
