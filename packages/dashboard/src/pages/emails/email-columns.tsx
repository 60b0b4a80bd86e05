import type { Email } from '@posthorn/contract'
import { useMemo } from 'react'
import { useIsSpacious } from '../../app/use-is-spacious.ts'
import type { EmailFilters } from '../../app/email-filters.ts'
import type { Filtering } from '../../app/use-filters.ts'
import { EmailStateBadge } from '../../components/email-state-badge.tsx'
import { OnlyThis } from '../../components/only-this.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { emailTitle } from '../../words/email-title.ts'
import { emailStateWords, worstState } from '../../words/email-words.ts'
import { emailReason } from '../../words/event-reason.ts'
import { isErased, recipientsWords } from '../../words/recipients-words.ts'

/** The columns of the list of emails. */
export function useEmailColumns(change: Filtering<keyof EmailFilters>['change']): RowColumn<Email>[] {
  const isSpacious = useIsSpacious()
  return useMemo(
    () => [
      {
        name: 'State',
        width: '9.5rem',
        narrow: 'max-roomy:col-start-1 max-roomy:row-start-1',
        cell: ({ states }) => <EmailStateBadge {...worstState(states)} />,
        aside: ({ states }) => {
          const { state } = worstState(states)
          return <OnlyThis what={emailStateWords[state]} onPress={() => change({ state })} />
        },
      },
      {
        name: 'Subject',
        width: 'minmax(0, 1.3fr)',
        isName: true,
        narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-3',
        cell: email => (
          <bdi title={emailTitle(email)} className={email.subject.trim() === '' ? 'text-ink-2 italic' : ''}>
            {emailTitle(email)}
          </bdi>
        ),
      },
      {
        name: 'To',
        width: 'minmax(0, 1.1fr)',
        narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-2',
        cell: email => <bdi title={everybody(email).join(', ')}>{recipientsWords(everybody(email))}</bdi>,
        aside: email => {
          const [first] = everybody(email)
          if (first === undefined || isErased(first)) return null
          return <OnlyThis what="this recipient" onPress={() => change({ recipient: first })} />
        },
      },
      {
        name: 'Reason',
        width: 'minmax(0, 1.2fr)',
        narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-4 max-roomy:empty:hidden',
        cell: email => {
          const words = emailReason(email)
          return (
            words !== null && (
              <bdi title={words} className="text-ink-2">
                {words}
              </bdi>
            )
          )
        },
      },
      // the reason needs the space more
      ...(isSpacious ? [from] : []),
      {
        name: 'When',
        width: '7rem',
        align: 'end',
        narrow: 'max-roomy:col-start-3 max-roomy:row-start-1',
        cell: ({ created_at: at }) => <Time at={at} />,
      },
    ],
    [change, isSpacious],
  )
}

const from: RowColumn<Email> = {
  name: 'From',
  width: 'minmax(0, 0.8fr)',
  narrow: 'max-roomy:hidden',
  cell: ({ from: sender }) => <bdi title={sender}>{sender}</bdi>,
}

function everybody({ to, cc, bcc }: Email): string[] {
  return [...to, ...cc, ...bcc]
}
