import type { Delivery, Webhook } from '@posthorn/contract'
import { useNowMs } from '../../app/clock.ts'
import { useMayChange, useSession } from '../../app/session.ts'
import { Sentences } from '../../components/sentence-text.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { deliveryVerdict } from '../../words/delivery-verdict.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { UseThatUrl } from './use-that-url.tsx'

export interface DeliveryVerdictPanelProps {
  readonly delivery: Delivery
  readonly endpoint: Webhook | undefined
}

/** The result in a sentence, what happened and follows, and what to do, with the next step beside it. */
export function DeliveryVerdictPanel({ delivery, endpoint }: DeliveryVerdictPanelProps) {
  const nowMs = useNowMs()
  const { retention_days: retentionDays } = useSession()
  const { headline, facts, advice } = deliveryVerdict({
    delivery,
    endpoint: endpoint ?? null,
    retentionDays,
    nowMs,
  })
  return (
    <Verdict
      tone={delivery.state}
      headline={
        <>
          <StateBadge state={delivery.state} /> {headline}
        </>
      }
      actions={<VerdictAction delivery={delivery} endpoint={endpoint} />}
    >
      <p>
        <Sentences sentences={facts} />
        {advice}
      </p>
    </Verdict>
  )
}

interface VerdictActionProps {
  readonly delivery: Delivery
  readonly endpoint: Webhook | undefined
}

/** The button for the next step, if the dashboard has one. */
function VerdictAction({ delivery, endpoint }: VerdictActionProps) {
  const mayChange = useMayChange()
  const last = delivery.attempts?.at(-1)
  if (delivery.state === 'delivered' || last === undefined || last.outcome === 'delivered') return null
  if (last.status_code === 401) {
    return (
      <ButtonLink kind="primary" to="/tools/signature" search={{ delivery: delivery.id }}>
        Open in debugger
      </ButtonLink>
    )
  }
  if (endpoint === undefined || !mayChange) return null
  if (last.error?.code === 'redirect_refused') {
    return <UseThatUrl endpoint={endpoint} location={last.response_headers?.['location']} />
  }
  if (last.status_code === 429) {
    return (
      <ButtonLink to="/endpoints/$id/settings" params={{ id: endpoint.id }}>
        Set a rate limit
      </ButtonLink>
    )
  }
  return null
}
