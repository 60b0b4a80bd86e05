import type { ApiKey } from '@posthorn/contract'
import { scopes } from '@posthorn/contract/plain'
import { useMemo, useState } from 'react'
import { useRows } from '../../api/use-rows.ts'
import { useNowMs } from '../../app/clock.ts'
import { useAsked } from '../../app/use-asked.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayManageKeys, useSession } from '../../app/session.ts'
import { apiKeyColumns, revokeColumn } from '../../components/api-key-columns.tsx'
import { Button } from '../../components/button.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RowList } from '../../components/row-list.tsx'
import { countOf } from '../../format/numbers.ts'
import { scopeWords } from '../../words/api-key-words.ts'
import { isLive, mayRevoke } from '../../words/own-keys.ts'
import { CreateOwnKey } from './create-own-key.tsx'
import { RevokeOwnKey } from './revoke-own-key.tsx'

const idOf = (key: ApiKey): string => key.id

/** The account's API keys with their last use. Who may manage keys creates and revokes them here. */
export function ApiKeysPage() {
  const session = useSession()
  const mayManage = useMayManageKeys()
  const nowMs = useNowMs(60_000)
  const [isMaking, setIsMaking] = useState(false)
  useAsked(asked => asked === 'create' && mayManage && setIsMaking(true))
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const rows = useRows({
    key: ['api-keys'],
    load: async (call, query, signal) => await call('listOwnApiKeys', { query, signal }),
    idOf,
    everyMs: 60_000,
  })
  const keys = useMemo(() => rows.pages.flat(), [rows.pages])
  const columns = useMemo(() => {
    const shown = apiKeyColumns({ ownKeyId: session.api_key_id, keys })
    if (!mayManage) return shown
    const reason = (key: ApiKey) => (mayRevoke(key, session.scopes) ? null : 'Operator only')
    return [...shown, revokeColumn(setRevoking, key => isLive(key, nowMs), reason)]
  }, [session, keys, mayManage, nowMs])
  usePageTitle('API keys')
  const create = (
    <Button kind="primary" onClick={() => setIsMaking(true)}>
      Create API key
    </Button>
  )
  return (
    <>
      <PageHeader title="API keys" aside={<Summary keys={keys} />} {...(mayManage && { actions: create })} />
      <RowList
        label="API keys"
        rows={rows}
        columns={columns}
        idOf={idOf}
        empty={<EmptyState>This account has no API keys. Programs need one to use the API.</EmptyState>}
      />
      {!rows.isLoading && rows.error === null && (
        <HowKeysWork
          mayManage={mayManage}
          hasForeign={mayManage && keys.some(key => isLive(key, nowMs) && !mayRevoke(key, session.scopes))}
        />
      )}
      {isMaking && <CreateOwnKey onClose={() => setIsMaking(false)} />}
      {revoking !== null && <RevokeOwnKey apiKey={revoking} keys={keys} onClose={() => setRevoking(null)} />}
    </>
  )
}

function Summary({ keys }: { keys: readonly ApiKey[] }) {
  const nowMs = useNowMs()
  const live = keys.filter(key => isLive(key, nowMs))
  const unused = live.filter(key => key.last_used_at === null).length
  if (keys.length === 0) return null
  return (
    <>
      {countOf(live.length, 'live key', 'live keys')}
      {unused > 0 && `, ${unused === live.length ? 'none used yet' : `${unused} never used`}`}
    </>
  )
}

/** @param hasForeign whether the reader cannot revoke some of the keys */
function HowKeysWork({ mayManage, hasForeign }: { mayManage: boolean; hasForeign: boolean }) {
  return (
    <section aria-labelledby="how-keys" className="mt-8 max-w-180 space-y-3">
      <h2 id="how-keys">What keys can do</h2>
      <p>
        {mayManage
          ? 'A key is shown once. If you lose one, create another and revoke the old one. Give each program and each person a key of their own, so that you can revoke one without stopping the others.'
          : 'You cannot create or revoke keys here, because that needs the scopes send and keys. Ask a colleague whose key has them, or the operator of this server.'}
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
        {scopes.map(scope => (
          <div key={scope} className="contents">
            <dt>
              <code>{scope}</code>
            </dt>
            <dd className="text-ink-2">may {scopeWords[scope]}</dd>
          </div>
        ))}
      </dl>
      <p className="text-ink-2">
        No scope includes another. A new key never gets more scopes or more time than its creator has.
        {hasForeign && ' Only the operator can revoke a key with a scope that you do not have.'}
      </p>
    </section>
  )
}
