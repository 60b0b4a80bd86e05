import type { SystemHealth } from '@posthorn/contract'
import type { RowColumn } from '../../components/row.tsx'
import { RowTable } from '../../components/row-table.tsx'
import { formatCount, formatDuration } from '../../format/numbers.ts'
import { formatRate } from '../../format/rate.ts'
import { ShardBadge } from './shard-badge.tsx'

type Shard = NonNullable<SystemHealth['shards']>[number]

const idOf = ({ number }: Shard): string => String(number)

/** The load of each shard; nothing for an installation with one. */
export function HealthShards({ health }: { health: SystemHealth }) {
  if (health.shards === undefined) return null
  return (
    <section aria-labelledby="shards" className="space-y-2">
      <h2 id="shards">Shards</h2>
      <RowTable label="Shards" columns={columns} pages={[health.shards]} idOf={idOf} />
    </section>
  )
}

/** The values of a shard that is down are null. */
function given(value: number | null, format: (value: number) => string): string {
  return value === null ? '—' : format(value)
}

const columns: readonly RowColumn<Shard>[] = [
  { name: 'State', width: '7rem', cell: ({ state }) => <ShardBadge state={state} /> },
  { name: 'Shard', width: 'minmax(0, 1fr)', isName: true, cell: ({ number }) => `Shard ${number}` },
  {
    name: 'Accepted',
    width: '7rem',
    wideOnly: true,
    cell: shard => given(shard.accepted_per_second, formatRate),
  },
  {
    name: 'Delivered',
    width: '7rem',
    wideOnly: true,
    cell: shard => given(shard.delivered_per_second, formatRate),
  },
  { name: 'Waiting', isLabelled: true, width: '7rem', cell: shard => given(shard.waiting, formatCount) },
  {
    name: 'Oldest due',
    isLabelled: true,
    width: '7rem',
    cell: shard => given(shard.oldest_due_seconds, seconds => formatDuration(Math.round(seconds * 1_000))),
  },
  {
    name: 'Database',
    width: '7rem',
    wideOnly: true,
    cell: shard => given(shard.database_ms, formatDuration),
  },
]
