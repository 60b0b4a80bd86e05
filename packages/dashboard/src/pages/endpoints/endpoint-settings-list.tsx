import type { Webhook } from '@posthorn/contract'
import { Time } from '../../components/time.tsx'
import { countOf } from '../../format/numbers.ts'
import { subscriptionWords } from '../../words/endpoint-row-words.ts'

/** The settings of an endpoint for read-only sessions. */
export function EndpointSettingsList({ webhook }: { webhook: Webhook }) {
  const headers = Object.keys(webhook.headers)
  const limit = webhook.rate_limit_per_second
  const facts = [
    [
      'URL',
      <code key="url" className="break-all">
        {webhook.url}
      </code>,
    ],
    ['Events', subscriptionWords(webhook.events)],
    ['Description', webhook.description === '' ? '—' : <bdi key="description">{webhook.description}</bdi>],
    ['Extra request headers', headers.length === 0 ? '—' : headers.join(', ')],
    ['Rate limit', limit === null ? 'no limit' : `${countOf(limit, 'event', 'events')} per second`],
    ['Created', <Time key="made" at={webhook.created_at} />],
    ['Updated', <Time key="changed" at={webhook.updated_at} />],
  ] as const
  return (
    <dl className="grid max-w-170 grid-cols-[10rem_minmax(0,1fr)] gap-x-4 gap-y-2 max-wide:grid-cols-1">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="min-w-0 break-words max-wide:mb-2">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
