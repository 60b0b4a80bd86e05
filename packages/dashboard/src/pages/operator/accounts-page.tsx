import { useState } from 'react'
import { useRows } from '../../api/use-rows.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RowList } from '../../components/row-list.tsx'
import { ChangeButton } from './change-button.tsx'
import { accountColumns, accountHref, accountIdOf } from './account-columns.tsx'
import { CreateAccountDialog } from './create-account-dialog.tsx'

/** All accounts of this server, newest first. */
export function AccountsPage() {
  const [isMaking, setIsMaking] = useState(false)
  const rows = useRows({
    key: ['accounts'],
    load: async (call, query, signal) => await call('listAccounts', { query, signal }),
    idOf: accountIdOf,
    everyMs: 15_000,
  })
  const create = (
    <ChangeButton kind="primary" onClick={() => setIsMaking(true)}>
      Create account
    </ChangeButton>
  )
  usePageTitle('Accounts')
  return (
    <>
      <PageHeader title="Accounts" actions={create} />
      <RowList
        label="Accounts"
        rows={rows}
        columns={accountColumns}
        idOf={accountIdOf}
        hrefOf={accountHref}
        empty={
          <EmptyState>
            No account yet. An account owns endpoints, API keys and events. Create one, then an API key for
            it.
          </EmptyState>
        }
      />
      {isMaking && <CreateAccountDialog onClose={() => setIsMaking(false)} />}
    </>
  )
}
