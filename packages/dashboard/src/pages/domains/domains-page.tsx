import type { SendingDomain } from '@posthorn/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useRows } from '../../api/use-rows.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange } from '../../app/session.ts'
import { useAsked } from '../../app/use-asked.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RowList } from '../../components/row-list.tsx'
import { AddDomainDialog } from './add-domain-dialog.tsx'
import { domainColumns } from './domain-columns.tsx'

const idOf = ({ id }: SendingDomain): string => id

/** The sending domains, and which of them need a DNS record. */
export function DomainsPage() {
  usePageTitle('Domains')
  const mayChange = useMayChange()
  const [isAdding, setIsAdding] = useState(false)
  useAsked(asked => asked === 'add' && mayChange && setIsAdding(true))
  const rows = useRows({
    key: ['domains', 'list'],
    load: async (call, query, signal) => await call('listSendingDomains', { query, signal }),
    idOf,
    everyMs: 15_000,
  })
  const add = mayChange && (
    <Button kind="primary" icon={<Plus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      Add domain
    </Button>
  )
  const isEmpty = !rows.isLoading && rows.pages.every(page => page.length === 0)
  return (
    <>
      <PageHeader
        title="Domains"
        aside="We sign mail from these domains with DKIM."
        actions={!isEmpty && add}
      />
      <RowList
        label="Domains"
        rows={rows}
        columns={domainColumns}
        idOf={idOf}
        hrefOf={({ id }) => `/domains/${id}`}
        empty={
          <EmptyState action={add}>
            No domain yet. Add the domain of your From address and publish a few DNS records. We then sign its
            mail with DKIM.
          </EmptyState>
        }
      />
      {isAdding && <AddDomainDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}
