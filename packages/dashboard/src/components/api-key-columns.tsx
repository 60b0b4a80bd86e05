import type { ApiKey } from '@posthorn/contract'
import { ApiKeyStateBadge } from './api-key-state.tsx'
import type { RowColumn } from './row.tsx'
import { Time } from './time.tsx'

/** What is told of an API key: its prefix is no credential. */
export const apiKeyColumns: readonly RowColumn<ApiKey>[] = [
  {
    name: 'Name',
    width: 'minmax(8rem, 1.2fr)',
    isName: true,
    cell: key => <span className="font-medium">{key.name}</span>,
  },
  { name: 'Begins with', width: '7rem', cell: key => <code>{key.prefix}…</code> },
  { name: 'May', width: '9rem', cell: key => key.scopes.join(', ') },
  { name: 'State', width: 'minmax(6rem, 1fr)', cell: key => <ApiKeyStateBadge apiKey={key} /> },
  {
    name: 'Last used',
    width: 'minmax(6rem, 1fr)',
    cell: key =>
      key.last_used_at === null ? (
        <span className="text-ink-3">Never used</span>
      ) : (
        <>
          <span className="text-ink-3 wide:hidden">Last used </span>
          <Time at={key.last_used_at} />
        </>
      ),
  },
  { name: 'Made', width: '8rem', wideOnly: true, cell: key => <Time at={key.created_at} /> },
]
