import type { Suppression } from '@posthorn/contract'
import { useMemo } from 'react'
import type { SuppressionFilters } from '../../app/suppression-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { Button } from '../../components/button.tsx'
import { OnlyThis } from '../../components/only-this.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { heldBackWords, suppressionReasonWords } from '../../words/suppression-words.ts'
import { SuppressionBadge } from './suppression-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { isOwnEmailId } from '../../format/own-email-id.ts'

/**
 * The columns of the list of suppressions.
 * @param onLift null if the session is read-only
 */
export function useSuppressionColumns(
  change: Filtering<keyof SuppressionFilters>['change'],
  onLift: ((suppression: Suppression) => void) | null,
): RowColumn<Suppression>[] {
  return useMemo(() => {
    const lift: RowColumn<Suppression> = {
      name: 'Action',
      width: '4rem',
      align: 'end',
      narrow: 'max-roomy:col-start-3 max-roomy:row-start-3',
      cell: suppression =>
        suppression.state === 'active' && (
          <Button onClick={() => onLift?.(suppression)}>
            Lift<span className="sr-only"> {suppression.address ?? 'the suppression'}</span>
          </Button>
        ),
    }
    const all: (RowColumn<Suppression> | null)[] = [
      {
        name: 'Address',
        // the only place that shows the whole address
        wraps: true,
        width: 'minmax(0, 2fr)',
        narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-1',
        cell: ({ address }) =>
          address === null ? (
            <span className="text-ink-2 italic">Erased address</span>
          ) : (
            <bdi className="font-medium wrap-anywhere">
              {address.slice(0, address.lastIndexOf('@'))}
              {/* a long address goes on in the next line here, not one letter before its end */}
              <wbr />
              {address.slice(address.lastIndexOf('@'))}
            </bdi>
          ),
        aside: ({ address }) =>
          address !== null && <OnlyThis what="this address" onPress={() => change({ recipient: address })} />,
      },
      {
        name: 'State',
        wraps: true,
        width: '10.5rem',
        narrow: 'max-roomy:col-start-1 max-roomy:row-start-2',
        cell: suppression => <SuppressionBadge suppression={suppression} />,
      },
      {
        name: 'Reason',
        wraps: true,
        width: 'minmax(0, 0.9fr)',
        narrow: 'max-roomy:col-span-2 max-roomy:col-start-2 max-roomy:row-start-2',
        cell: suppression => <Reason suppression={suppression} />,
      },
      {
        name: 'Suppressed mail',
        wraps: true,
        width: 'minmax(0, 0.8fr)',
        narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-3',
        cell: ({ scope }) => <bdi className="wrap-anywhere">{heldBackWords(scope)}</bdi>,
      },
      {
        name: 'Since',
        width: '8rem',
        align: 'end',
        narrow: 'max-roomy:col-start-3 max-roomy:row-start-1',
        cell: ({ created_at: at }) => <Time at={at} />,
      },
      onLift === null ? null : lift,
    ]
    return all.filter(column => column !== null)
  }, [change, onLift])
}

/** The reason of a suppression, with a link to its event or email if there is one. */
function Reason({ suppression }: { suppression: Suppression }) {
  const { reason, event_id: eventId, email_id: emailId } = suppression
  const words = suppressionReasonWords[reason]
  if (eventId !== null) {
    return (
      <TextLink to="/events/$id" params={{ id: eventId }} title="The event that caused it">
        {words}
      </TextLink>
    )
  }
  if (emailId === null) return words
  return isOwnEmailId(emailId) ? (
    <TextLink to="/emails/$id" params={{ id: emailId }} title="The email that caused it">
      {words}
    </TextLink>
  ) : (
    <TextLink to="/events" search={{ email: emailId }} title="Events of the email that caused it">
      {words}
    </TextLink>
  )
}
