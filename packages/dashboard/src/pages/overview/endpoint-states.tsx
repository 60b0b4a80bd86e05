import { Plus } from 'lucide-react'
import { useNowMs } from '../../app/clock.ts'
import { usePreferences } from '../../app/preferences.ts'
import { useMayChange } from '../../app/session.ts'
import { Spark } from '../../charts/spark.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { HealthBadge } from '../../components/health-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { formatCount, formatDuration, formatShare } from '../../format/numbers.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import { rowStateWords } from '../../words/endpoint-row-words.ts'
import { shareOf } from '../../words/share-words.ts'
import type { ListedEndpoint } from '../endpoints/listed-endpoint.ts'

const shownMax = 5

/** The endpoints that need attention most, with their state and their last 24 hours; given with the worst first. */
export function EndpointStates({ endpoints }: { endpoints: readonly ListedEndpoint[] }) {
  const mayChange = useMayChange()
  return (
    <section aria-labelledby="endpoint-states" className="min-w-0">
      <div className="mb-2 flex min-h-8 flex-wrap items-center gap-x-3">
        <h2 id="endpoint-states">
          {endpoints.length > shownMax ? 'Endpoints that need attention most' : 'Endpoints'}
        </h2>
        {endpoints.length > 0 && <TextLink to="/endpoints">All {formatCount(endpoints.length)}</TextLink>}
        <span className="text-label text-ink-3">last 24 hours</span>
        {mayChange && (
          <span className="ml-auto">
            <ButtonLink to="/endpoints/new" kind="quiet" icon={<Plus size={14} aria-hidden />}>
              Add
            </ButtonLink>
          </span>
        )}
      </div>
      {endpoints.length === 0 && <p className="text-ink-2">No endpoint yet, so no webhook is sent.</p>}
      <ul>
        {endpoints.slice(0, shownMax).map(endpoint => (
          <EndpointState key={endpoint.webhook.id} {...endpoint} />
        ))}
      </ul>
    </section>
  )
}

function EndpointState({ webhook, health }: ListedEndpoint) {
  const { zone } = usePreferences()
  const reader = { zone, nowMs: useNowMs() }
  const { last_day: day, waiting_count: waiting } = health
  const share = shareOf(day)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line py-2 hover:bg-sunken">
      <div className="min-w-0 flex-1 basis-56 space-y-0.5">
        <TextLink to="/endpoints/$id" params={{ id: webhook.id }} title={webhook.url}>
          <bdi className="block truncate font-medium">{endpointName(webhook)}</bdi>
        </TextLink>
        <span className="block truncate font-mono text-code text-ink-2" title={webhook.url}>
          {webhook.url}
        </span>
        <div className="flex flex-wrap items-center gap-x-2 text-label text-ink-2">
          <HealthBadge health={health}>{rowStateWords(health, reader)}</HealthBadge>
          {waiting > 0 && <span>{formatCount(waiting)} waiting</span>}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Spark hours={health.hours} />
        {share === null ? (
          <span className="w-52 text-right text-label text-ink-3">nothing sent</span>
        ) : (
          <>
            <div className="w-28 text-right text-label text-ink-2">
              <div className="text-body text-ink">{formatShare(share)} delivered</div>
              <div>
                {formatCount(day.delivered)} of {formatCount(day.delivered + day.failed)}
              </div>
            </div>
            <div className="w-20 text-right text-label text-ink-2">
              {day.p50_ms === null ? (
                'no answer'
              ) : (
                <>
                  <div>p50 {formatDuration(day.p50_ms)}</div>
                  <div>p95 {formatDuration(day.p95_ms)}</div>
                </>
              )}
            </div>
          </>
        )}
      </div>
    </li>
  )
}
