import type { ApiKey } from '@posthorn/contract'
import { ApiKeyStateBadge } from './api-key-state.tsx'
import type { RowColumn } from './row.tsx'
import { Time } from './time.tsx'

/** The columns for API keys; the shown prefix is no credential. */
export const apiKeyColumns: readonly RowColumn<ApiKey>[] = [
  {
    name: 'Name',
    narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-1',
    width: 'minmax(8rem, 1.2fr)',
    isName: true,
    cell: key => <span className="font-medium">{key.name}</span>,
  },
  { name: 'Begins with', narrow: 'max-roomy:hidden', width: '7rem', cell: key => <code>{key.prefix}…</code> },
  {
    name: 'Scopes',
    narrow: 'max-roomy:col-start-1 max-roomy:row-start-2',
    width: '9rem',
    wraps: true,
    cell: key => key.scopes.join(', '),
  },
  {
    name: 'State',
    narrow: 'max-roomy:col-start-3 max-roomy:row-start-1 max-roomy:text-right',
    width: 'minmax(6rem, 1fr)',
    cell: key => <ApiKeyStateBadge apiKey={key} />,
  },
  {
    name: 'Last used',
    narrow: 'max-roomy:col-start-2 max-roomy:row-start-2',
    width: 'minmax(6rem, 1fr)',
    wraps: true,
    cell: key =>
      key.last_used_at === null ? (
        <span className="text-ink-3">Never used</span>
      ) : (
        <>
          <span className="text-ink-3 roomy:hidden">Last used </span>
          <Time at={key.last_used_at} />
        </>
      ),
  },
  { name: 'Created', narrow: 'max-roomy:hidden', width: '8rem', cell: key => <Time at={key.created_at} /> },
]
