import { Plus } from 'lucide-react'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { useMayChange } from '../../app/session.ts'
import { Spark } from '../../charts/spark.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { HealthBadge } from '../../components/health-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { formatCount, formatShare } from '../../format/numbers.ts'
import { rowStateWords } from '../../words/endpoint-row-words.ts'
import { acknowledgedShare } from '../../words/spark-words.ts'
import type { ListedEndpoint } from '../endpoints/listed-endpoint.ts'

const shownMax = 5

/** The endpoints that need attention most, each a link; given with the worst first. */
export function WorstEndpoints({ endpoints }: { endpoints: readonly ListedEndpoint[] }) {
  const mayChange = useMayChange()
  return (
    <section aria-labelledby="worst-endpoints" className="min-w-0">
      <div className="mb-2 flex min-h-8 items-center gap-x-3">
        <h2 id="worst-endpoints">
          {endpoints.length > shownMax ? 'Endpoints that need attention most' : 'Endpoints'}
        </h2>
        <TextLink to="/endpoints">All {formatCount(endpoints.length)}</TextLink>
        {mayChange && (
          <span className="ml-auto">
            <ButtonLink to="/endpoints/new" kind="quiet" icon={<Plus size={14} aria-hidden />}>
              Add
            </ButtonLink>
          </span>
        )}
      </div>
      <ul>
        {endpoints.slice(0, shownMax).map(endpoint => (
          <WorstEndpoint key={endpoint.webhook.id} {...endpoint} />
        ))}
      </ul>
    </section>
  )
}

function WorstEndpoint({ webhook, health }: ListedEndpoint) {
  const { zone } = usePreferences()
  const reader = { zone, nowMs: useNowMs() }
  const words = rowStateWords(health, reader)
  return (
    <li className="relative flex items-center gap-3 border-t border-line py-1.5 hover:bg-sunken">
      <div className="min-w-0 flex-1 space-y-0.5">
        <TextLink to="/endpoints/$id" params={{ id: webhook.id }} title={webhook.url}>
          <span className="block truncate">{webhook.url.replace(/^https?:\/\//, '')}</span>
        </TextLink>
        <div className="flex flex-wrap items-center gap-x-2 text-label text-ink-2">
          <HealthBadge health={health}>{words}</HealthBadge>
          {health.waiting_count > 0 && <span>{formatCount(health.waiting_count)} waiting</span>}
        </div>
      </div>
      <div className="space-y-0.5 text-right text-label text-ink-2">
        <Spark hours={health.hours} />
        <div>{formatShare(acknowledgedShare(health.hours))} delivered</div>
      </div>
    </li>
  )
}
