import type { System } from '@posthorn/contract'
import type { ReactNode } from 'react'
import { Time } from '../../components/time.tsx'
import { countOf } from '../../format/numbers.ts'
import { formatBytes } from '../../format/bytes.ts'

const databases = { embedded: 'Embedded PostgreSQL', postgresql: 'PostgreSQL' } as const

/** Versions and sizes of the process that answered. */
export function SystemFacts({ system }: { system: System }) {
  const { database } = system
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-y border-line py-3">
      <Fact name="Posthorn">{system.version}</Fact>
      <Fact name="Node.js">{system.node_version}</Fact>
      <Fact name="Database">
        {databases[database.kind]} {database.version}, {formatBytes(database.size_bytes)}
      </Fact>
      <Fact name="Schema">{system.schema_version}</Fact>
      <Fact name="Kept for">{countOf(system.retention_days, 'day', 'days')}</Fact>
      <Fact name="Started">
        <Time at={system.started_at} relative />
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
