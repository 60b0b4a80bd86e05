import type { Webhook } from '@posthorn/contract'
import { CircleCheck } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useNowMs } from '../../app/clock.ts'
import { SentenceText } from '../../components/sentence-text.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { useOutage } from '../../outages/use-outage.ts'
import { endpointName } from '../../words/endpoint-name.ts'
import { mayBeResolved, resolvedWords } from '../../words/resolved-words.ts'
import type { ListedEndpoint } from '../endpoints/listed-endpoint.ts'

/** How many endpoints are looked at together, so that many of them do not delay the page. */
const togetherMax = 5
/** What is resolved rarely changes. */
const everyMs = 600_000

/** Endpoints that recovered within the last week: since when they work, and how long they failed. */
export function Resolved({ endpoints }: { endpoints: readonly ListedEndpoint[] }) {
  const nowMs = useNowMs(60_000)
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const candidates = endpoints
    .filter(({ health }) => mayBeResolved(health, nowMs))
    .toSorted((a, b) => (b.health.last_failure_at ?? '').localeCompare(a.health.last_failure_at ?? ''))
  const next = new Set(candidates.filter(({ webhook }) => !seen.has(webhook.id)).slice(0, togetherMax))
  const onSeen = useCallback((id: string) => setSeen(all => (all.has(id) ? all : new Set([...all, id]))), [])
  if (candidates.length === 0) return null
  return (
    <section aria-labelledby="resolved" className="min-w-0 not-has-[li]:hidden">
      <h2 id="resolved" className="mb-2 flex min-h-8 items-center">
        Resolved in the last 7 days
      </h2>
      <ul>
        {candidates
          .filter(endpoint => seen.has(endpoint.webhook.id) || next.has(endpoint))
          .map(endpoint => (
            <ResolvedEndpoint key={endpoint.webhook.id} webhook={endpoint.webhook} onSeen={onSeen} />
          ))}
      </ul>
    </section>
  )
}

interface ResolvedEndpointProps {
  readonly webhook: Webhook
  /** Called with its id when its outages are known. */
  readonly onSeen: (id: string) => void
}

function ResolvedEndpoint({ webhook, onSeen }: ResolvedEndpointProps) {
  const { id } = webhook
  const { data: outage = null, isPending } = useOutage(id, { everyMs })
  useEffect(() => {
    if (!isPending) onSeen(id)
  }, [isPending, id, onSeen])
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
