import type { Account } from '@posthorn/contract'
import { Id } from '../../components/id.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { Time } from '../../components/time.tsx'
import { slotWords } from '../../words/slot-words.ts'
import { SuspendedBadge } from './suspended-badge.tsx'

/** The columns of the list of accounts. */
export const accountColumns: readonly RowColumn<Account>[] = [
  {
    name: 'Account',
    narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-1',
    width: 'minmax(0, 1.5fr)',
    isName: true,
    cell: account => (
      <span className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{account.name}</span>
        {account.suspended_at !== null && <SuspendedBadge />}
      </span>
    ),
  },
  {
    name: 'Endpoints',
    narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-2',
    width: 'minmax(0, 1fr)',
    cell: account => slotWords(account.endpoint_count, account.max_endpoints),
  },
  {
    name: 'Id',
    narrow: 'max-roomy:hidden',
    width: '12rem',
    cell: account => <Id id={account.id} copy={false} />,
  },
  {
    name: 'Created',
    narrow: 'max-roomy:col-start-3 max-roomy:row-start-1 max-roomy:text-right',
    width: '9rem',
    cell: account => <Time at={account.created_at} />,
  },
]

export function accountHref({ id }: Account): string {
  return `/operator/accounts/${id}`
}

export function accountIdOf({ id }: Account): string {
  return id
}
