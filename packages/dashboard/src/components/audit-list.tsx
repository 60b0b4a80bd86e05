import type { AuditEntry } from '@posthorn/contract'
import type { ReactNode } from 'react'
import { useRows } from '../api/use-rows.ts'
import type { AuditFilters } from '../app/audit-filters.ts'
import { auditActorWords } from '../words/audit-actor-words.ts'
import { actionsOf } from '../words/audit-kinds.ts'
import { AuditSentence } from './audit-sentence.tsx'
import type { RowColumn } from './row.tsx'
import { RowList } from './row-list.tsx'
import { Time } from './time.tsx'

export interface AuditListProps {
  /** For the operator, who sees each account's log separately. */
  readonly accountId?: string
  readonly filters: AuditFilters
  /** Names of API keys by their ids. */
  readonly keyNames: ReadonlyMap<string, string>
  readonly empty: ReactNode
}

const idOf = (entry: AuditEntry): string => entry.id

/** The audit log in sentences, newest first. */
export function AuditList({ accountId, filters, keyNames, empty }: AuditListProps) {
  const { kind, target, since, until } = filters
  const action = kind === undefined ? undefined : actionsOf(kind)
  const rows = useRows({
    key: ['audit-log', accountId, filters],
    load: async (call, query, signal) =>
      await call('listAuditLog', {
        query: { ...query, account_id: accountId, action, target, since, until },
        signal,
      }),
    idOf,
    everyMs: 15_000,
  })
  const columns: readonly RowColumn<AuditEntry>[] = [
    {
      name: 'When',
      width: '8.5rem',
      narrow: 'max-roomy:col-start-3 max-roomy:row-start-1',
      cell: entry => <Time at={entry.at} />,
    },
    {
      name: 'Who',
      width: 'minmax(7rem, 1fr)',
      narrow: 'max-roomy:col-span-2 max-roomy:col-start-1 max-roomy:row-start-1',
      wraps: true,
      cell: entry => auditActorWords(entry.actor, keyNames),
    },
    {
      name: 'What',
      width: 'minmax(0, 3fr)',
      narrow: 'max-roomy:col-span-3 max-roomy:col-start-1 max-roomy:row-start-2',
      wraps: true,
      cell: entry => <AuditSentence entry={entry} isOwn={accountId === undefined} />,
    },
  ]
  return <RowList label="Audit log" rows={rows} columns={columns} idOf={idOf} empty={empty} />
}
