import type { Delivery } from '@posthorn/contract'
import { useMemo } from 'react'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { useIsSpacious } from '../../app/use-is-spacious.ts'
import type { DeliveryFilters } from '../../app/delivery-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { OnlyThis } from '../../components/only-this.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { StateBadge, stateWords } from '../../components/state-badge.tsx'
import { Time } from '../../components/time.tsx'
import { shortId } from '../../format/short-id.ts'
import { deliveryReason, triesWords } from '../../words/delivery-reason.ts'
import { isErased, recipientsWords } from '../../words/recipients-words.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import { NextTry } from './next-try.tsx'

type Change = Filtering<keyof DeliveryFilters>['change']

/** On narrow screens the reason and the endpoint share the third line, one at each end. */
const thirdLine = 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-3'

/** The columns of a list of deliveries; the endpoint's column exists only in lists with several endpoints. */
export function useDeliveryColumns(change: Change, endpointId: string | undefined): RowColumn<Delivery>[] {
  const webhooks = useWebhooks().data
  const isSpacious = useIsSpacious()
  return useMemo(() => {
    const endpoints = new Map(webhooks?.map(webhook => [webhook.id, webhook]))
    const endpoint: RowColumn<Delivery> = {
      name: 'Endpoint',
      width: 'minmax(0, 1.2fr)',
      narrow: `${thirdLine} max-roomy:max-w-1/2 max-roomy:justify-self-end max-roomy:text-ink-2`,
      cell: ({ webhook_id: id }) => {
        const known = endpoints.get(id)
        return <bdi title={known?.url ?? id}>{known === undefined ? shortId(id) : endpointName(known)}</bdi>
      },
      aside: ({ webhook_id: id }) => (
        <OnlyThis what="this endpoint" onPress={() => change({ endpoint: id })} />
      ),
    }
    const all: (RowColumn<Delivery> | null)[] = [
      {
        name: 'State',
        width: '7.25rem',
        narrow: 'max-roomy:col-start-1 max-roomy:row-start-1',
        cell: ({ state }) => <StateBadge state={state} />,
        aside: ({ state }) => <OnlyThis what={stateWords[state]} onPress={() => change({ state })} />,
      },
      {
        name: 'Event',
        width: '8.25rem',
        isName: true,
        narrow: 'max-roomy:col-start-2 max-roomy:row-start-1',
        cell: ({ event }) => event.type,
        aside: ({ event }) => <OnlyThis what={event.type} onPress={() => change({ type: event.type })} />,
      },
      {
        name: 'To',
        width: 'minmax(0, 1.3fr)',
        narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-2',
        cell: ({ event: { to } }) => <bdi title={to.join(', ')}>{recipientsWords(to)}</bdi>,
        aside: ({ event: { to } }) => onlyRecipient(to[0], change),
      },
      endpointId === undefined ? endpoint : null,
      {
        name: 'Reason',
        width: 'minmax(0, 1.2fr)',
        narrow: `${thirdLine} max-roomy:text-ink-2 ${endpointId === undefined ? 'max-roomy:max-w-1/2' : ''}`,
        cell: deliveryReason,
        aside: ({ last_error_code: error }) =>
          error !== null && <OnlyThis what="this reason" onPress={() => change({ error })} />,
      },
      // the endpoint and the reason need the space more
      isSpacious ? { name: 'Attempts', width: '4rem', narrow: 'max-roomy:hidden', cell: triesWords } : null,
      {
        name: 'Next attempt',
        width: '5.5rem',
        wraps: true,
        narrow: 'max-roomy:col-start-3 max-roomy:row-start-2 max-roomy:text-right',
        cell: delivery => <NextTry delivery={delivery} endpoint={endpoints.get(delivery.webhook_id)} />,
      },
      {
        name: 'When',
        width: '7rem',
        align: 'end',
        narrow: 'max-roomy:col-start-3 max-roomy:row-start-1',
        cell: ({ created_at: at }) => <Time at={at} />,
      },
    ]
    return all.filter(column => column !== null)
  }, [webhooks, change, endpointId, isSpacious])
}

function onlyRecipient(recipient: string | undefined, change: Change) {
  if (recipient === undefined || isErased(recipient)) return null
  return <OnlyThis what="this recipient" onPress={() => change({ recipient })} />
}
