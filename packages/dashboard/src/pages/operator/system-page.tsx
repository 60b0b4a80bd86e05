import type { System } from '@posthorn/contract'
import { useSearch } from '@tanstack/react-router'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { MailSources } from './mail-sources.tsx'
import { MaintenanceStopped } from './maintenance-stopped.tsx'
import { Partitions } from './partitions.tsx'
import { Processes } from './processes.tsx'
import { ProviderSources } from './provider-sources.tsx'
import { SettingsInForce } from './settings-in-force.tsx'
import { SystemFacts } from './system-facts.tsx'
import { SystemShards } from './system-shards.tsx'

/** The installation: versions, processes, kept data, and settings. */
export function SystemPage() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const shard = typeof search['shard'] === 'number' ? search['shard'] : undefined
  const { data, error, isPending, dataUpdatedAt, refetch } = useLive({
    key: ['system', shard],
    load: async (call, signal) => await call('getSystem', { query: { shard }, signal }),
    everyMs: 15_000,
  })
  usePageTitle('System')
  return (
    <>
      <PageHeader title="System" aside={data !== undefined && <Aside system={data} />} />
      <div className="space-y-8">
        {error !== null && (
          <Problem
            error={error}
            onRetry={() => void refetch()}
            readAtMs={data === undefined ? 0 : dataUpdatedAt}
          />
        )}
        {isPending && error === null && <Skeleton lines={8} />}
        {data !== undefined && (
          <>
            <SystemShards system={data} />
            <MaintenanceStopped maintenance={data.maintenance} shard={data.shard} />
            <SystemFacts system={data} />
            <Processes system={data} />
            <MailSources system={data} />
            <ProviderSources system={data} />
            <Partitions system={data} />
            <SettingsInForce settings={data.settings} />
          </>
        )}
      </div>
    </>
  )
}

function Aside({ system }: { system: System }) {
  const versions = new Set(system.processes.map(({ version }) => version))
  return versions.size > 1 ? `${versions.size} versions run side by side` : null
}
