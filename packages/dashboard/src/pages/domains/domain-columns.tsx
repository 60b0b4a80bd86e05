import type { SendingDomain } from '@posthorn/contract'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { DomainBadge } from './domain-badge.tsx'

/** The columns of the list of sending domains. */
export const domainColumns: readonly RowColumn<SendingDomain>[] = [
  {
    name: 'Domain',
    width: 'minmax(0, 1.5fr)',
    isName: true,
    narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-1',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  {
    name: 'State',
    width: 'minmax(0, 1fr)',
    narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-2',
    cell: domain => <DomainBadge domain={domain} />,
  },
  {
    name: 'Checked',
    width: '9rem',
    narrow: 'max-roomy:col-start-3 max-roomy:row-start-2 max-roomy:text-right',
    cell: ({ checked_at: at }) =>
      at === null ? (
        <span className="text-ink-3">
          never<span className="roomy:hidden"> checked</span>
        </span>
      ) : (
        <>
          <span className="text-ink-3 roomy:hidden">checked </span>
          <Time at={at} />
        </>
      ),
  },
  {
    name: 'Added',
    width: '9rem',
    align: 'end',
    narrow: 'max-roomy:col-start-3 max-roomy:row-start-1',
    cell: ({ created_at: at }) => <Time at={at} />,
  },
]
