import type { System } from '@posthorn/contract'
import { providerKinds } from '@posthorn/contract/plain'
import { RowTable } from '../../components/row-table.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { reportColumns } from './source-columns.tsx'

type Source = System['provider_sources'][number]

/** The mail providers whose webhooks report to this installation, if any. */
export function ProviderSources({ system }: { system: System }) {
  const { provider_sources: sources } = system
  if (sources.length === 0) return null
  return (
    <section aria-labelledby="provider-sources" className="space-y-2">
      <h2 id="provider-sources">Mail providers</h2>
      <RowTable
        label="Mail providers"
        columns={columns}
        pages={[sources]}
        idOf={({ id }) => id}
        hrefOf={({ account_id: account }) => `/operator/accounts/${account}`}
      />
    </section>
  )
}

const columns: readonly RowColumn<Source>[] = [
  {
    name: 'Provider',
    width: 'minmax(0, 1fr)',
    isName: true,
    cell: ({ kind, account_name: account }) => `${providerKinds[kind]} for ${account}`,
  },
  ...reportColumns,
]
