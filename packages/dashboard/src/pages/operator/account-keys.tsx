import type { Account, ApiKey } from '@posthorn/contract'
import { useState } from 'react'
import { useRows } from '../../api/use-rows.ts'
import { apiKeyColumns } from '../../components/api-key-columns.tsx'
import { Button } from '../../components/button.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { RowList } from '../../components/row-list.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { RevokeKeyDialog } from './revoke-key-dialog.tsx'

const idOf = (key: ApiKey): string => key.id

/** The account's API keys, with ways to create and revoke them. */
export function AccountKeys({ account }: { account: Account }) {
  const [isMaking, setIsMaking] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const rows = useRows({
    key: ['account-keys', account.id],
    load: async (call, query, signal) =>
      await call('listApiKeys', { params: { id: account.id }, query, signal }),
    idOf,
    everyMs: 30_000,
  })
  return (
    <section aria-labelledby="keys" className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="keys">API keys</h2>
        <Button onClick={() => setIsMaking(true)}>Create API key</Button>
      </div>
      <RowList
        label="API keys"
        rows={rows}
        columns={[...apiKeyColumns, revokeColumn(setRevoking)]}
        idOf={idOf}
        empty={<p className="text-ink-3">No API key yet. The customer’s programs cannot use the API.</p>}
      />
      {isMaking && <CreateKeyDialog account={account} onClose={() => setIsMaking(false)} />}
      {revoking !== null && (
        <RevokeKeyDialog account={account} apiKey={revoking} onClose={() => setRevoking(null)} />
      )}
    </section>
  )
}

function revokeColumn(revoke: (key: ApiKey) => void): RowColumn<ApiKey> {
  return {
    name: 'Action',
    narrow: 'max-roomy:col-start-3 max-roomy:row-start-2',
    width: '6rem',
    align: 'end',
    cell: key =>
      key.revoked_at === null && (
        <Button kind="quiet" onClick={() => revoke(key)}>
          Revoke<span className="sr-only"> {key.name}</span>
        </Button>
      ),
  }
}
