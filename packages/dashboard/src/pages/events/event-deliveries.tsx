import type { Attempt, Delivery, Webhook } from '@posthorn/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { useNowMs } from '../../app/clock.ts'
import { useSession } from '../../app/session.ts'
import { RowLink } from '../../components/row-link.tsx'
import { Sentences } from '../../components/sentence-text.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { shortId } from '../../format/short-id.ts'
import { deliveryVerdict } from '../../words/delivery-verdict.ts'
import { endpointName } from '../../words/endpoint-name.ts'

/** The event's delivery to each endpoint, with state and reason. */
export function EventDeliveries({ deliveries }: { deliveries: readonly Delivery[] }) {
  const webhooks = useWebhooks().data
  return (
    <section aria-labelledby="who">
      <h2 id="who" className="mb-2">
        Deliveries
      </h2>
      <ul className="border-t border-line">
        {deliveries.map(delivery => (
          <EventDelivery
            key={delivery.id}
            delivery={delivery}
            endpoint={webhooks?.find(({ id }) => id === delivery.webhook_id)}
            isGone={webhooks?.every(({ id }) => id !== delivery.webhook_id) === true}
          />
        ))}
      </ul>
    </section>
  )
}

interface EventDeliveryProps {
  readonly delivery: Delivery
  /** Nothing while the endpoints load, or if the endpoint was deleted. */
  readonly endpoint: Webhook | undefined
  readonly isGone: boolean
}

function EventDelivery({ delivery, endpoint, isGone }: EventDeliveryProps) {
  const nowMs = useNowMs()
  const { retention_days: retentionDays } = useSession()
  const attempts = useAttempts(delivery)
  const { headline, facts } = deliveryVerdict({
    delivery: { ...delivery, ...(attempts !== undefined && { attempts }) },
    endpoint: endpoint ?? null,
    retentionDays,
    nowMs,
  })
  return (
    <li className="relative flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line px-2 py-2 hover:bg-sunken">
      <span className="w-28">
        <StateBadge state={delivery.state} />
      </span>
      <span className="min-w-0 basis-72 truncate" title={endpoint?.url}>
        <RowLink href={`/deliveries/${delivery.id}`}>
          {endpoint === undefined ? (
            `${isGone ? 'deleted endpoint ' : ''}${shortId(delivery.webhook_id)}`
          ) : (
            <bdi>{endpointName(endpoint)}</bdi>
          )}
        </RowLink>
      </span>
      <span className="min-w-0 flex-1 basis-72 text-ink-2">
        {headline} <Sentences sentences={facts} />
      </span>
    </li>
  )
}

/** The attempts of a delivery in a list, reloaded only when there is a new one. */
function useAttempts({ id, attempt_count: count }: Delivery): Attempt[] | undefined {
  const { call } = useApi()
  const { data } = useQuery({
    queryKey: ['deliveries', id, 'attempts', count],
    queryFn: async ({ signal }) => await call('getDelivery', { params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: count > 0,
  })
  return data?.attempts
}
