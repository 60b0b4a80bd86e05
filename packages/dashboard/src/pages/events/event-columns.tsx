import type { Event } from '@posthorn/contract'
import { useMemo } from 'react'
import type { EventFilters } from '../../app/event-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { EventTypeBadge } from '../../components/event-type-badge.tsx'
import { Id } from '../../components/id.tsx'
import { OnlyThis } from '../../components/only-this.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { eventReason, eventReasonCode } from '../../words/event-reason.ts'
import { isErased, recipientsWords } from '../../words/recipients-words.ts'

/** The columns of a list of events. */
export function useEventColumns(change: Filtering<keyof EventFilters>['change']): RowColumn<Event>[] {
  return useMemo(
    () => [
      {
        name: 'Event',
        width: '13rem',
        isName: true,
        narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-1',
        cell: ({ type }) => <EventTypeBadge type={type} />,
        aside: ({ type }) => <OnlyThis what={type} onPress={() => change({ type })} />,
      },
      {
        name: 'To',
        width: 'minmax(0, 1fr)',
        narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-2',
        cell: ({ data: { to } }) => <bdi title={to.join(', ')}>{recipientsWords(to)}</bdi>,
        aside: ({ data: { to } }) =>
          to[0] !== undefined &&
          !isErased(to[0]) && (
            <OnlyThis what="this recipient" onPress={() => change({ recipient: to[0] ?? null })} />
          ),
      },
      {
        name: 'Reason',
        width: 'minmax(0, 1fr)',
        narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-3 max-roomy:empty:hidden',
        cell: event => {
          const words = eventReason(event)
          return (
            words !== null && (
              <bdi title={words} className="text-ink-2">
                {words}
              </bdi>
            )
          )
        },
        aside: event => {
          const reason = eventReasonCode(event)
          return reason !== null && <OnlyThis what="this reason" onPress={() => change({ reason })} />
        },
      },
      {
        name: 'Email',
        width: 'minmax(0, 0.8fr)',
        narrow: 'max-roomy:hidden',
        cell: ({ data }) => <Id id={data.email_id} what="email id" copy={false} />,
        aside: ({ data }) => <OnlyThis what="this email" onPress={() => change({ email: data.email_id })} />,
      },
      {
        name: 'When',
        width: '8rem',
        align: 'end',
        narrow: 'max-roomy:col-start-3 max-roomy:row-start-1',
        cell: ({ created_at: at }) => <Time at={at} />,
      },
    ],
    [change],
  )
}
