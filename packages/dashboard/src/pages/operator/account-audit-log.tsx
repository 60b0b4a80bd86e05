import type { Account } from '@posthorn/contract'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useLive } from '../../api/use-live.ts'
import { AuditFilterBar } from '../../components/audit-filter-bar.tsx'
import { AuditList } from '../../components/audit-list.tsx'

const route = getRouteApi('/signed-in/operator/accounts/$id')

/** The changes in the account, including those by the operator. */
export function AccountAuditLog({ account }: { account: Account }) {
  const filters = route.useSearch()
  const navigate = route.useNavigate()
  const keys = useLive({
    key: ['account-key-names', account.id],
    load: async (call, signal) =>
      await call('listApiKeys', { params: { id: account.id }, query: { limit: 250 }, signal }),
    everyMs: null,
  })
  const keyNames = useMemo(() => new Map(keys.data?.data.map(key => [key.id, key.name])), [keys.data])
  return (
    <section aria-labelledby="audit">
      <h2 id="audit" className="mb-3">
        Audit log
      </h2>
      <AuditFilterBar
        filters={filters}
        onChange={search => void navigate({ search, resetScroll: false, replace: true })}
      />
      <AuditList
        accountId={account.id}
        filters={filters}
        keyNames={keyNames}
        empty={<p className="text-ink-3">No change matches.</p>}
      />
    </section>
  )
}
