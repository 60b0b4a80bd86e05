import { attemptErrorCodes, attemptErrorTexts, deliveryStates, eventTypes } from '@posthorn/contract/plain'
import type { ReactNode } from 'react'
import { useWebhooks } from '../../api/use-webhooks.ts'
import type { DeliveryFilters } from '../../app/delivery-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { FilterBar, type FilterChip } from '../../components/filter-bar.tsx'
import { among, chosenChip, countIn, recipientChip, timeChips } from '../../components/filter-chips.tsx'
import { FilterChoices, FilterMenu } from '../../components/filter-menu.tsx'
import { useIsInSheet } from '../../components/filter-sheet.ts'
import { FilterText } from '../../components/filter-text.tsx'
import { Segments } from '../../components/segments.tsx'
import { StateIcon, stateWords } from '../../components/state-badge.tsx'
import { TimeFilter } from '../../components/time-filter.tsx'
import { shortId } from '../../format/short-id.ts'
import { endpointName } from '../../words/endpoint-name.ts'

export interface DeliveryFilterBarProps {
  readonly filtering: Filtering<keyof DeliveryFilters>
  /** The list is of one endpoint, so there is no endpoint to choose. */
  readonly endpointId: string | undefined
  readonly result: string
  readonly children: ReactNode
}

const notDelivered = 'pending,failed,exhausted'
const states = [
  { value: '', label: 'All' },
  { value: notDelivered, label: 'Not delivered' },
  ...(['delivered', 'failed', 'pending', 'exhausted'] as const).map(state => ({
    value: state,
    label: (
      <span className="inline-flex items-center gap-1">
        <StateIcon state={state} />
        <span className="max-roomy:not-in-[dialog]:sr-only">{stateWords[state]}</span>
      </span>
    ),
  })),
]
const types = eventTypes.map(value => ({ value, label: value }))
const reasons = attemptErrorCodes.map(value => ({ value, label: attemptErrorTexts[value].label }))

/** Filters for a list of deliveries: state, type, reason and time. */
export function DeliveryFilterBar({ filtering, endpointId, result, children }: DeliveryFilterBarProps) {
  const { filters, count, change, clear } = filtering
  const { state = '', type, error, since, until } = filters
  return (
    <FilterBar chips={useChips(filtering, endpointId)} count={count} onClear={clear} result={result}>
      <Segments
        label="State"
        value={state}
        options={states}
        onChange={value => change({ state: value || null })}
      />
      <FilterMenu label="Type" count={countIn(type)}>
        <FilterChoices options={types} chosen={type} onChange={chosen => change({ type: chosen })} />
      </FilterMenu>
      <FilterMenu label="Reason" count={countIn(error)}>
        <FilterChoices options={reasons} chosen={error} onChange={chosen => change({ error: chosen })} />
      </FilterMenu>
      <TimeFilter since={since} until={until} onChange={change} />
      <RecipientInSheet filtering={filtering} />
      {children}
    </FilterBar>
  )
}

/** Rows on phones have no space for recipients, so they have no `+` button for them either. */
function RecipientInSheet({ filtering: { recipient, change } }: Pick<DeliveryFilterBarProps, 'filtering'>) {
  if (!useIsInSheet()) return null
  return <FilterText label="Recipient" value={recipient} onChange={value => change({ recipient: value })} />
}

function useChips(
  { filters, recipient, change }: DeliveryFilterBarProps['filtering'],
  endpointId: string | undefined,
): FilterChip[] {
  const webhooks = useWebhooks().data
  const { state, type, error, email, endpoint } = filters
  const isOfSegments = states.some(({ value }) => value === state)
  const known = webhooks?.find(({ id }) => id === endpoint)
  return [
    // a state from the segments is already visible
    ...(isOfSegments
      ? []
      : chosenChip(
          'state',
          among(state, deliveryStates, value => stateWords[value]),
          change,
        )),
    ...chosenChip('type', type?.replaceAll(',', ', '), change),
    ...chosenChip(
      'error',
      among(error, attemptErrorCodes, value => attemptErrorTexts[value].label),
      change,
    ),
    ...chosenChip('email', email === undefined ? undefined : `email ${shortId(email)}`, change),
    ...(endpointId === undefined && endpoint !== undefined
      ? chosenChip('endpoint', known === undefined ? shortId(endpoint) : endpointName(known), change)
      : []),
    ...recipientChip(recipient, change),
    ...timeChips(filters, change),
  ]
}
