import type { SystemHealth } from '@posthorn/contract'
import { CircleCheck, CircleDashed, type LucideIcon, OctagonX, TriangleAlert } from 'lucide-react'
import { useLive } from '../../api/use-live.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { type Tone, Verdict } from '../../components/verdict.tsx'
import { systemVerdict } from '../../words/system-verdict.ts'
import { HealthFigures } from './health-figures.tsx'
import { HealthShards } from './health-shards.tsx'
import { NewestAccounts } from './newest-accounts.tsx'
import { WorstOfAll } from './worst-of-all.tsx'

/** Whether deliveries are on time: the answer first, then the numbers, then the failing endpoints. */
export function OperatorHealthPage() {
  const { data, error, isPending, dataUpdatedAt, refetch } = useLive({
    key: ['system-health'],
    load: async (call, signal) => await call('getSystemHealth', { signal }),
    everyMs: 5_000,
  })
  usePageTitle(titleOf(data, error), error !== null || (data !== undefined && !isWell(data)))
  return (
    <>
      <PageHeader title="Health" />
      <div className="space-y-6">
        {error !== null && (
          <Problem
            error={error}
            onRetry={() => void refetch()}
            readAtMs={data === undefined ? 0 : dataUpdatedAt}
          />
        )}
        {isPending && error === null && <Skeleton lines={6} linePx={64} />}
        {data !== undefined && <Now health={data} />}
      </div>
    </>
  )
}

function Now({ health }: { health: SystemHealth }) {
  const { tone, headline, advice } = systemVerdict(health)
  return (
    <>
      <Verdict
        tone={tone}
        headline={
          <span className="flex items-start gap-2">
            <VerdictIcon tone={tone} />
            {headline}
          </span>
        }
      >
        {advice !== null && <p>{advice}</p>}
      </Verdict>
      <HealthFigures health={health} />
      <HealthShards health={health} />
      <WorstOfAll health={health} />
      <NewestAccounts />
    </>
  )
}

function isWell(health: SystemHealth): boolean {
  return systemVerdict(health).tone === 'delivered'
}

function titleOf(health: SystemHealth | undefined, error: Error | null): string {
  if (error !== null) return '(!) Health'
  return health === undefined || isWell(health) ? 'Health' : `(!) ${systemVerdict(health).title}`
}

const looks: Record<Tone, { icon: LucideIcon; look: string }> = {
  delivered: { icon: CircleCheck, look: 'text-delivered' },
  failed: { icon: TriangleAlert, look: 'text-failed' },
  exhausted: { icon: OctagonX, look: 'text-exhausted' },
  pending: { icon: CircleDashed, look: 'text-pending' },
  neutral: { icon: CircleDashed, look: 'text-ink-3' },
}

/** The icon beside a verdict; its text says the same. */
function VerdictIcon({ tone }: { tone: Tone }) {
  const { icon: Icon, look } = looks[tone]
  return <Icon size={18} aria-hidden className={`mt-0.5 shrink-0 ${look}`} />
}
