import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { AuditFilterBar } from '../../components/audit-filter-bar.tsx'
import { AuditList } from '../../components/audit-list.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { NoMatch } from '../../components/no-match.tsx'
import { PageHeader } from '../../components/page-header.tsx'

const route = getRouteApi('/signed-in/audit-log')

/** Who changed what in the account. */
export function AuditLogPage() {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useLive({
    key: ['api-key-names'],
    load: async (call, signal) => await call('listOwnApiKeys', { query: { limit: 250 }, signal }),
    everyMs: null,
  })
  const keyNames = useMemo(() => new Map(keys.data?.data.map(key => [key.id, key.name])), [keys.data])
  const filterCount = Object.keys(filters).length
  const clear = (): void => void navigate({ search: {} })
  usePageTitle('Audit log')
  return (
    <>
      <PageHeader title="Audit log" aside="Every change, newest first. Entries never change." />
      <AuditFilterBar filters={filters} onChange={search => void navigate({ search })} />
      <AuditList
        filters={filters}
        keyNames={keyNames}
        empty={
          filterCount === 0 ? (
            <EmptyState>No changes yet.</EmptyState>
          ) : (
            <NoMatch one="change" filterCount={filterCount} onClear={clear} />
          )
        }
      />
    </>
  )
}
