import type { SystemHealth } from '@posthorn/contract'
import { attemptErrorTexts } from '@posthorn/contract/plain'
import { HealthBadge } from '../../components/health-badge.tsx'
import type { RowColumn } from '../../components/row.tsx'
import { RowTable } from '../../components/row-table.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/numbers.ts'

type Worst = SystemHealth['worst'][number]

const idOf = ({ webhook_id: id }: Worst): string => id

/** The endpoints of all accounts that have failed the longest. Each links to its account. */
export function WorstOfAll({ health }: { health: SystemHealth }) {
  return (
    <section aria-labelledby="worst">
      <h2 id="worst" className="mb-2">
        Endpoints that have failed the longest
      </h2>
      {health.worst.length === 0 ? (
        <p className="text-ink-2">No endpoint is failing, and none is disabled because it failed.</p>
      ) : (
        <RowTable
          label="Endpoints that have failed the longest"
          columns={columns}
          pages={[health.worst]}
          idOf={idOf}
          hrefOf={({ account_id: account }) => `/operator/accounts/${account}`}
        />
      )}
    </section>
  )
}

const columns: readonly RowColumn<Worst>[] = [
  {
    name: 'State',
    narrow: 'max-roomy:col-start-1 max-roomy:row-start-1',
    width: '7.5rem',
    cell: ({ state }) => <HealthBadge health={{ state, disabled_reason: 'failing' }} />,
  },
  {
    name: 'Endpoint',
    narrow: 'max-roomy:col-start-2 max-roomy:row-start-1',
    width: 'minmax(0, 1.4fr)',
    cell: ({ url_host: host }) => <code>{host}</code>,
  },
  {
    name: 'Account',
    narrow: 'max-roomy:col-start-1 max-roomy:row-start-2',
    width: 'minmax(0, 1fr)',
    isName: true,
    cell: ({ account_name: name }) => name,
  },
  {
    name: 'Reason',
    narrow: 'max-roomy:col-span-2 max-roomy:col-start-2 max-roomy:row-start-2',
    width: 'minmax(0, 1.2fr)',
    cell: ({ last_error_code: code }) => reasonOf(code),
  },
  {
    name: 'Since',
    narrow: 'max-roomy:hidden',
    width: '9rem',
    cell: ({ failing_since: since }) => (since === null ? '—' : <Time at={since} />),
  },
  {
    name: 'Waiting',
    narrow: 'max-roomy:col-start-3 max-roomy:row-start-1',
    width: '5.5rem',
    align: 'end',
    cell: ({ waiting }) => (
      <>
        {waiting >= countedMax && 'over '}
        {formatCount(waiting)}
        <span className="roomy:hidden"> waiting</span>
      </>
    ),
  },
]

/** The service does not count more. */
const countedMax = 10_000

function reasonOf(code: string | null): string {
  if (code === null) return '—'
  const texts: Readonly<Record<string, { readonly label: string }>> = attemptErrorTexts
  return texts[code]?.label ?? code
}
