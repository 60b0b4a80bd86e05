import type { Event } from '@posthorn/contract'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { Sentences } from '../../components/sentence-text.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { eventVerdict } from '../../words/event-verdict.ts'
import { DeliveryVerdictPanel } from '../deliveries/delivery-verdict-panel.tsx'
import { useDelivery } from '../deliveries/use-delivery.ts'

/** Who received the event. With a single endpoint, the reason of its delivery is the answer. */
export function EventVerdictPanel({ event }: { event: Event }) {
  const [only, ...others] = event.deliveries ?? []
  if (only !== undefined && others.length === 0 && event.erased_at === null)
    return <OnlyDelivery id={only.id} />
  const { tone, headline, facts } = eventVerdict(event)
  return (
    <Verdict
      tone={tone}
      headline={
        <>
          {tone !== 'neutral' && <StateBadge state={tone} />} {headline}
        </>
      }
    >
      {facts.length > 0 && (
        <p>
          <Sentences sentences={facts} />
        </p>
      )}
    </Verdict>
  )
}

function OnlyDelivery({ id }: { id: string }) {
  const { data: delivery } = useDelivery(id)
  const webhooks = useWebhooks().data
  if (delivery === undefined) return null
  return (
    <DeliveryVerdictPanel
      delivery={delivery}
      endpoint={webhooks?.find(webhook => webhook.id === delivery.webhook_id)}
    />
  )
}
