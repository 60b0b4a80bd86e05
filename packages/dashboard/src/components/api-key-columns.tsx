import type { ApiKey } from '@posthorn/contract'
import { actorInSentence } from '../words/audit-actor-words.ts'
import { ApiKeyStateBadge } from './api-key-state.tsx'
import { Button } from './button.tsx'
import type { RowColumn } from './row.tsx'
import { Time } from './time.tsx'

export interface ApiKeyColumnsOptions {
  /** The key that opened the reader's session. */
  readonly ownKeyId?: string | null
  /** The loaded keys, for the names of those that created others. */
  readonly keys: readonly ApiKey[]
}

/** The columns for API keys; the shown prefix is no credential. */
export function apiKeyColumns({ ownKeyId, keys }: ApiKeyColumnsOptions): readonly RowColumn<ApiKey>[] {
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return [
    {
      name: 'Name',
      narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-1',
      width: 'minmax(8rem, 2fr)',
      isName: true,
      wraps: true,
      cell: key => (
        <>
          <span className="font-medium" title={key.name}>
            {key.name}
          </span>
          {key.id === ownKeyId && <span className="block text-label text-ink-3">You use this key.</span>}
        </>
      ),
    },
    ...columns,
    {
      name: 'Created',
      narrow: 'max-roomy:hidden',
      width: 'minmax(9rem, 1fr)',
      cell: ({ created_at: at, created_by: creator }) => {
        const by = `by ${actorInSentence(creator, names)}`
        return (
          <>
            <Time at={at} />
            {creator.kind !== 'operator' && (
              <span className="block truncate text-label text-ink-3" title={by}>
                {by}
              </span>
            )}
          </>
        )
      },
    },
  ]
}

/** A button that revokes a key. */
export function revokeColumn(
  revoke: (key: ApiKey) => void,
  isOffered: (key: ApiKey) => boolean,
  reasonAgainst: (key: ApiKey) => string | null = () => null,
): RowColumn<ApiKey> {
  return {
    name: 'Action',
    narrow: 'max-roomy:col-start-3 max-roomy:row-start-1',
    width: '6.5rem',
    align: 'end',
    // the button reaches into the edge
    wraps: true,
    cell: key => {
      if (!isOffered(key)) return null
      const reason = reasonAgainst(key)
      if (reason !== null) return <span className="text-label text-ink-3">{reason}</span>
      return (
        <Button kind="quiet" className="-mr-3" onClick={() => revoke(key)}>
          Revoke<span className="sr-only"> {key.name}</span>
        </Button>
      )
    },
  }
}

const columns: readonly RowColumn<ApiKey>[] = [
  { name: 'Begins with', narrow: 'max-roomy:hidden', width: '7rem', cell: key => <code>{key.prefix}…</code> },
  {
    name: 'Scopes',
    narrow: 'max-roomy:col-start-1 max-roomy:row-start-3',
    width: '11rem',
    wraps: true,
    cell: key => key.scopes.join(', '),
  },
  {
    name: 'State',
    narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-2',
    width: 'minmax(7rem, 1fr)',
    wraps: true,
    cell: key => <ApiKeyStateBadge apiKey={key} />,
  },
  {
    name: 'Last used',
    narrow: 'max-roomy:col-span-2 max-roomy:col-start-2 max-roomy:row-start-3',
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
]
