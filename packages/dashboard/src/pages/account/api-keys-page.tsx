import type { ApiKey } from '@posthorn/contract'
import { scopes } from '@posthorn/contract/plain'
import { useRows } from '../../api/use-rows.ts'
import { useNowMs } from '../../app/clock.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { useSession } from '../../app/session.ts'
import { apiKeyColumns } from '../../components/api-key-columns.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RowList } from '../../components/row-list.tsx'
import { countOf } from '../../format/numbers.ts'
import { apiKeyState, scopeWords } from '../../words/api-key-words.ts'

const idOf = (key: ApiKey): string => key.id

/** The account's API keys with their last use. Only the operator creates and revokes keys. */
export function ApiKeysPage() {
  const rows = useRows({
    key: ['api-keys'],
    load: async (call, query, signal) => await call('listOwnApiKeys', { query, signal }),
    idOf,
    everyMs: 60_000,
  })
  usePageTitle('API keys')
  return (
    <>
      <PageHeader title="API keys" aside={<Summary keys={rows.pages.flat()} />} />
      <RowList
        label="API keys"
        rows={rows}
        columns={apiKeyColumns}
        idOf={idOf}
        empty={<EmptyState>This account has no API keys.</EmptyState>}
      />
      {!rows.isLoading && <HowKeysAreMade />}
    </>
  )
}

function Summary({ keys }: { keys: readonly ApiKey[] }) {
  const nowMs = useNowMs()
  const live = keys.filter(key => /^(live|ending)$/.test(apiKeyState(key, nowMs)))
  const unused = live.filter(key => key.last_used_at === null).length
  if (keys.length === 0) return null
  return (
    <>
      {countOf(live.length, 'live key', 'live keys')}
      {unused > 0 && `, ${unused === live.length ? 'none used yet' : `${unused} never used`}`}
    </>
  )
}

function HowKeysAreMade() {
  const { account } = useSession()
  const command = `posthorn keys create --account ${account?.id ?? 'acct_…'} --name dashboard --scopes read,send`
  return (
    <section aria-labelledby="how-keys" className="mt-8 max-w-180 space-y-3">
      <h2 id="how-keys">How to create and revoke keys</h2>
      <p>
        The operator of this server creates and revokes keys, on the Accounts page or on the command line. A
        key is shown once. If you lose one, ask for a new key and have the old one revoked.
      </p>
      <CodeBlock code={command} what="command" />
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
      <p className="text-ink-2">No scope includes another.</p>
    </section>
  )
}
