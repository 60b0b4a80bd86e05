import type { System } from '@posthorn/contract'
import type { RowColumn } from '../../components/row.tsx'
import { RowTable } from '../../components/row-table.tsx'
import { countOf, formatCount } from '../../format/numbers.ts'
import { formatBytes } from '../../format/bytes.ts'
import { type KeptDay, keptDays } from './kept-days.ts'

const idOf = ({ day }: KeptDay): string => day

/** The data of each day and its size. The oldest day is deleted as a whole. */
export function Partitions({ system }: { system: System }) {
  const days = keptDays(system.partitions)
  const bytes = days.reduce((sum, day) => sum + day.sizeBytes, 0)
  return (
    <section aria-labelledby="partitions" className="space-y-2">
      <h2 id="partitions">
        {countOf(days.length, 'day', 'days')} kept, {formatBytes(bytes)}
      </h2>
      <p className="text-ink-2">
        Days are in UTC. Row counts are estimates of the database. Data older than{' '}
        {countOf(system.retention_days, 'day', 'days')} is deleted, one day at a time.
      </p>
      {days.length > 0 && <RowTable label="Days kept" columns={columns} pages={[days]} idOf={idOf} />}
    </section>
  )
}

const columns: readonly RowColumn<KeptDay>[] = [
  { name: 'Day', width: '8rem', cell: ({ day }) => day },
  {
    name: 'Events',
    isLabelled: true,
    width: 'minmax(0, 1fr)',
    align: 'end',
    cell: ({ rows }) => formatCount(rows.event),
  },
  {
    name: 'Deliveries',
    isLabelled: true,
    width: 'minmax(0, 1fr)',
    align: 'end',
    cell: ({ rows }) => formatCount(rows.delivery),
  },
  {
    name: 'Attempts',
    isLabelled: true,
    width: 'minmax(0, 1fr)',
    align: 'end',
    cell: ({ rows }) => formatCount(rows.attempt),
  },
  {
    name: 'Size',
    isLabelled: true,
    width: '7rem',
    align: 'end',
    cell: ({ sizeBytes }) => formatBytes(sizeBytes),
  },
]
