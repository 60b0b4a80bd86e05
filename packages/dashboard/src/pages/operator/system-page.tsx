import type { System } from '@posthorn/contract'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { MaintenanceStopped } from './maintenance-stopped.tsx'
import { Partitions } from './partitions.tsx'
import { Processes } from './processes.tsx'
import { SettingsInForce } from './settings-in-force.tsx'
import { SystemFacts } from './system-facts.tsx'

/** The installation: versions, processes, kept data, and settings. */
export function SystemPage() {
  const { data, error, isPending, dataUpdatedAt, refetch } = useLive({
    key: ['system'],
    load: async (call, signal) => await call('getSystem', { signal }),
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
            <MaintenanceStopped maintenance={data.maintenance} />
            <SystemFacts system={data} />
            <Processes system={data} />
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
  return versions.size > 1 ? `${versions.size} versions run side by side` : `Posthorn ${system.version}`
}
