import { getRouteApi } from '@tanstack/react-router'
import { useWebhook } from '../../api/use-webhook.ts'
import { useMayChange } from '../../app/session.ts'
import { Skeleton } from '../../components/skeleton.tsx'
import { DeleteEndpoint } from './delete-endpoint.tsx'
import { DisableEndpoint } from './disable-endpoint.tsx'
import { EndpointFrame } from './endpoint-frame.tsx'
import { EndpointSettingsForm } from './endpoint-settings-form.tsx'
import type { Webhook } from '@posthorn/contract'
import { Time } from '../../components/time.tsx'
import { countOf } from '../../format/numbers.ts'
import { subscriptionWords } from '../../words/endpoint-row-words.ts'

const route = getRouteApi('/signed-in/endpoints/$id/settings')

/** The URL, event types and rate of an endpoint, and the ways to disable or delete it. */
export function EndpointSettingsPage() {
  const { id } = route.useParams()
  const mayChange = useMayChange()
  const { webhook, error } = useWebhook(id)
  return (
    <EndpointFrame id={id} page="Settings">
      {webhook === undefined && error === null && <Skeleton lines={6} />}
      {webhook !== undefined && !mayChange && <EndpointSettingsList webhook={webhook} />}
      {webhook !== undefined && mayChange && (
        <div className="max-w-170 space-y-8">
          <EndpointSettingsForm key={webhook.id} webhook={webhook} />
          <DisableEndpoint webhook={webhook} />
          <DeleteEndpoint webhook={webhook} />
        </div>
      )}
    </EndpointFrame>
  )
}

/** The settings of an endpoint for read-only sessions. */
function EndpointSettingsList({ webhook }: { webhook: Webhook }) {
  const headers = Object.keys(webhook.headers)
  const client = webhook.client_certificate
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
    ['Standard Webhooks headers', webhook.standard_webhooks ? 'on' : 'off'],
    ['Tags', webhook.tags.length === 0 ? 'all' : <bdi key="tags">{webhook.tags.join(', ')}</bdi>],
    ['Sending domains', webhook.sending_domains.length === 0 ? 'all' : webhook.sending_domains.join(', ')],
    [
      'Client certificate',
      client === null ? (
        '—'
      ) : (
        <span key="client">
          {client.subject}, until <Time at={client.expires_at} />
        </span>
      ),
    ],
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
