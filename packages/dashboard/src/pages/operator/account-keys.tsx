import type { Account, ApiKey } from '@posthorn/contract'
import { scopes } from '@posthorn/contract/plain'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useRows } from '../../api/use-rows.ts'
import { useSession } from '../../app/session.ts'
import { apiKeyColumns, revokeColumn } from '../../components/api-key-columns.tsx'
import { CreateKeyDialog } from '../../components/create-key-dialog.tsx'
import { RevokeKeyDialog } from '../../components/revoke-key-dialog.tsx'
import { RowList } from '../../components/row-list.tsx'
import { ChangeButton } from './change-button.tsx'

/** The operator may grant everything. */
const noLimits = { scopes, scopeReason: '', expireBy: null }

const idOf = (key: ApiKey): string => key.id

/** The account's API keys, with ways to create and revoke them. */
export function AccountKeys({ account }: { account: Account }) {
  const { call } = useApi()
  const { role } = useSession()
  const queries = useQueryClient()
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ['account-keys', account.id] })
    void queries.invalidateQueries({ queryKey: ['audit-log', account.id] })
  }
  const [isMaking, setIsMaking] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const rows = useRows({
    key: ['account-keys', account.id],
    load: async (call, query, signal) =>
      await call('listApiKeys', { params: { id: account.id }, query, signal }),
    idOf,
    everyMs: 30_000,
  })
  const keys = rows.pages.flat()
  return (
    <section aria-labelledby="keys" className="space-y-3">
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="keys">API keys</h2>
        <ChangeButton onClick={() => setIsMaking(true)}>Create API key</ChangeButton>
      </div>
      <RowList
        label="API keys"
        rows={rows}
        columns={[
          ...apiKeyColumns({ keys }),
          ...(role === 'view' ? [] : [revokeColumn(setRevoking, key => key.revoked_at === null)]),
        ]}
        idOf={idOf}
        empty={<p className="text-ink-3">No API key yet. The customer’s programs cannot use the API.</p>}
      />
      {isMaking && (
        <CreateKeyDialog
          title={`Create an API key for ${account.name}`}
          limits={noLimits}
          // with the first key, the customer creates the others
          {...(!rows.isLoading && keys.length === 0 && { suggested: ['read', 'send', 'keys'] })}
          create={async body => (await call('createApiKey', { params: { id: account.id }, body })).api_key}
          onCreated={refresh}
          onClose={() => setIsMaking(false)}
        />
      )}
      {revoking !== null && (
        <RevokeKeyDialog
          apiKey={revoking}
          revoke={async () => await call('revokeApiKey', { params: { id: account.id, key_id: revoking.id } })}
          onRevoked={refresh}
          onClose={() => setRevoking(null)}
        />
      )}
    </section>
  )
}
