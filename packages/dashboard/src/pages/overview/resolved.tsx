import { CircleCheck } from 'lucide-react'
import { useNowMs } from '../../app/clock.ts'
import { SentenceText } from '../../components/sentence-text.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useOutage } from '../../outages/use-outage.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import { mayBeResolved, resolvedWords } from '../../words/resolved-words.ts'
import type { ListedEndpoint } from '../endpoints/listed-endpoint.ts'

const shownMax = 5

/** Endpoints that recovered within the last week: since when they work, and how long they failed. */
export function Resolved({ endpoints }: { endpoints: readonly ListedEndpoint[] }) {
  const nowMs = useNowMs(60_000)
  const candidates = endpoints
    .filter(({ health }) => mayBeResolved(health, nowMs))
    .toSorted((a, b) => (b.health.last_failure_at ?? '').localeCompare(a.health.last_failure_at ?? ''))
    .slice(0, shownMax)
  if (candidates.length === 0) return null
  return (
    <section aria-labelledby="resolved" className="min-w-0 not-has-[li]:hidden">
      <h2 id="resolved" className="mb-2 flex min-h-8 items-center">
        Resolved in the last 7 days
      </h2>
      <ul>
        {candidates.map(endpoint => (
          <ResolvedEndpoint key={endpoint.webhook.id} {...endpoint} />
        ))}
      </ul>
    </section>
  )
}

function ResolvedEndpoint({ webhook }: ListedEndpoint) {
  const { id } = webhook
  const { data: outage = null } = useOutage(id)
  const sentence = resolvedWords(outage)
  if (sentence === null) return null
  return (
    <li className="flex gap-2 border-t border-line py-1.5">
      <CircleCheck size={16} role="img" aria-label="Resolved" className="mt-0.5 shrink-0 text-delivered" />
      <p className="min-w-0">
        <TextLink to="/endpoints/$id" params={{ id }}>
          <bdi>{endpointName(webhook)}</bdi>
        </TextLink>{' '}
        <SentenceText sentence={sentence} />
      </p>
    </li>
  )
}
