import type { Delivery } from '@posthorn/contract'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { useMayChange } from '../../app/session.ts'
import { StateBadge } from '../../components/state-badge.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { Time } from '../../components/time.tsx'
import { formatCount } from '../../format/numbers.ts'
import { deliveryReason } from '../../words/delivery-reason.ts'
import { RetryButton } from './retry-button.tsx'
import { RetryResult } from './retry-result.tsx'
import { useDelivery } from './use-delivery.ts'
import { useRetry } from './use-retry.ts'

/** The delivery with the requested number, live, with a button to send it again. */
export function FoundBySequence({ found }: { found: Delivery }) {
  const delivery = useDelivery(found.id).data ?? found
  const endpoint = useWebhooks().data?.find(({ id }) => id === delivery.webhook_id)
  const mayChange = useMayChange()
  const retry = useRetry(delivery)
  return (
    <div className="space-y-1 rounded border border-line bg-surface px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <TextLink to="/deliveries/$id" params={{ id: delivery.id }}>
          #{formatCount(delivery.sequence)} {delivery.event.type}
        </TextLink>
        <StateBadge state={delivery.state}>{deliveryReason(delivery)}</StateBadge>
        <Time at={delivery.created_at} />
        {mayChange && (
          <RetryButton delivery={delivery} endpoint={endpoint} retry={retry} label="Send it again" />
        )}
      </div>
      <RetryResult retry={retry} />
    </div>
  )
}
