import type { Account, ProviderSource } from '@posthorn/contract'
import { providerKinds } from '@posthorn/contract/plain'
import { useRows } from '../../api/use-rows.ts'
import { Id } from '../../components/id.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { RowList } from '../../components/row-list.tsx'
import { reportColumns } from './source-columns.tsx'

const idOf = (source: ProviderSource): string => source.id

/** The mail providers whose webhooks report for the account. */
export function AccountSources({ account }: { account: Account }) {
  const rows = useRows({
    key: ['account-sources', account.id],
    load: async (call, query, signal) =>
      await call('listProviderSources', { params: { id: account.id }, query, signal }),
    idOf,
    everyMs: 15_000,
  })
  return (
    <section aria-labelledby="account-sources" className="space-y-3">
      <h2 id="account-sources">Mail providers</h2>
      <RowList
        label="Mail providers"
        rows={rows}
        columns={columns}
        idOf={idOf}
        empty={
          <p className="text-ink-3">
            No mail provider reports for this account. <code>posthorn sources add</code> connects one.
          </p>
        }
      />
    </section>
  )
}

const columns: readonly RowColumn<ProviderSource>[] = [
  {
    name: 'Provider',
    width: 'minmax(0, 1fr)',
    isName: true,
    cell: ({ kind }) => <span className="font-medium">{providerKinds[kind]}</span>,
  },
  { name: 'Source', isLabelled: true, width: '12rem', cell: ({ id }) => <Id id={id} what="source id" /> },
  ...reportColumns,
]
