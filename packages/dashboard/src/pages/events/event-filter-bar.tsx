import { eventTypes } from '@posthorn/contract/plain'
import type { EventFilters } from '../../app/event-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { FilterBar, type FilterChip } from '../../components/filter-bar.tsx'
import { FilterChoices, FilterMenu } from '../../components/filter-menu.tsx'
import { FilterText } from '../../components/filter-text.tsx'
import { Time } from '../../components/time.tsx'
import { TimeFilter } from '../../components/time-filter.tsx'

export interface EventFilterBarProps {
  readonly filtering: Filtering<keyof EventFilters>
  readonly result: string
}

const types = eventTypes.map(value => ({ value, label: value }))

/** Narrows the list of events: by type, email, recipient and time. */
export function EventFilterBar({ filtering, result }: EventFilterBarProps) {
  const { filters, recipient, count, change, clear } = filtering
  const { type, email, since, until } = filters
  return (
    <FilterBar chips={chipsFor(filtering)} count={count} onClear={clear} result={result}>
      <FilterMenu label="Type" count={type?.split(',').length ?? 0}>
        <FilterChoices options={types} chosen={type} onChange={chosen => change({ type: chosen })} />
      </FilterMenu>
      <TimeFilter since={since} until={until} onChange={change} />
      <FilterText label="Email id" value={email} onChange={value => change({ email: value })} />
      <FilterText label="Recipient" value={recipient} onChange={value => change({ recipient: value })} />
    </FilterBar>
  )
}

function chipsFor({ filters, recipient, change }: EventFilterBarProps['filtering']): FilterChip[] {
  const { type, email, since, until } = filters
  const chips: (FilterChip | false)[] = [
    type !== undefined && {
      name: 'type',
      label: type.replaceAll(',', ', '),
      onRemove: () => change({ type: null }),
    },
    email !== undefined && {
      name: 'email',
      label: `email ${email}`,
      onRemove: () => change({ email: null }),
    },
    recipient !== null && {
      name: 'recipient',
      label: <bdi>to {recipient} (not in the link)</bdi>,
      onRemove: () => change({ recipient: null }),
    },
    since !== undefined && {
      name: 'since',
      label: (
        <>
          since <Time at={since} />
        </>
      ),
      onRemove: () => change({ since: null }),
    },
    until !== undefined && {
      name: 'until',
      label: (
        <>
          until <Time at={until} />
        </>
      ),
      onRemove: () => change({ until: null }),
    },
  ]
  return chips.filter(chip => chip !== false)
}
