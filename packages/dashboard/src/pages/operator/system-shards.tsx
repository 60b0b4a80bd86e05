import type { System } from '@posthorn/contract'
import type { RowColumn } from '../../components/row.tsx'
import { RowTable } from '../../components/row-table.tsx'
import { formatBytes } from '../../format/bytes.ts'
import { ShardBadge } from './shard-badge.tsx'

type Shard = NonNullable<System['shards']>[number]

const idOf = ({ number }: Shard): string => String(number)
const hrefOf = ({ number }: Shard): string => `/operator/system?shard=${number}`

/** All shards, and which one the page shows; nothing for an installation with one. */
export function SystemShards({ system }: { system: System }) {
  if (system.shards === undefined) return null
  return (
    <section aria-labelledby="shards" className="space-y-2">
      <h2 id="shards">Shards</h2>
      <RowTable label="Shards" columns={columns} pages={[system.shards]} idOf={idOf} hrefOf={hrefOf} />
      <p className="text-ink-2">The rest of this page is about shard {system.shard}.</p>
    </section>
  )
}

const columns: readonly RowColumn<Shard>[] = [
  { name: 'State', width: '7rem', cell: ({ state }) => <ShardBadge state={state} /> },
  {
    name: 'Shard',
    width: 'minmax(0, 1fr)',
    isName: true,
    cell: ({ number, problem }) => (problem === null ? `Shard ${number}` : problem),
  },
  { name: 'Version', width: '7rem', wideOnly: true, cell: ({ version }) => version ?? '—' },
  { name: 'Schema', width: '6rem', wideOnly: true, cell: ({ schema_version: schema }) => schema ?? '—' },
  {
    name: 'Size',
    isLabelled: true,
    width: '7rem',
    cell: ({ database_size_bytes: bytes }) => (bytes === null ? '—' : formatBytes(bytes)),
  },
  { name: 'Processes', width: '7rem', wideOnly: true, cell: ({ process_count: count }) => count ?? '—' },
]
