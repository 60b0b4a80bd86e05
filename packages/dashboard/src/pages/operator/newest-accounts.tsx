import { useLive } from '../../api/use-live.ts'
import { RowTable } from '../../components/row-table.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { accountColumns, accountHref, accountIdOf } from './account-columns.tsx'

const shownMax = 8

/** The newest accounts, linked from the start page. */
export function NewestAccounts() {
  const { data } = useLive({
    key: ['accounts', 'newest'],
    load: async (call, signal) => await call('listAccounts', { query: { limit: shownMax }, signal }),
    everyMs: 60_000,
  })
  if (data === undefined || data.data.length === 0) return null
  return (
    <section aria-labelledby="accounts">
      <div className="mb-2 flex items-baseline gap-3">
        <h2 id="accounts">Accounts</h2>
        <TextLink to="/operator/accounts">All accounts</TextLink>
      </div>
      <RowTable
        label="Accounts"
        columns={accountColumns}
        pages={[data.data]}
        idOf={accountIdOf}
        hrefOf={accountHref}
      />
    </section>
  )
}
