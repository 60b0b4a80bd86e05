import type { Delivery, Webhook } from '@posthorn/contract'
import { useNowMs } from '../../app/clock.ts'
import { useSession } from '../../app/session.ts'
import { Sentences } from '../../components/sentence-text.tsx'
import { StateBadge } from '../../components/state-badge.tsx'
import { Verdict } from '../../components/verdict.tsx'
import { deliveryVerdict } from '../../words/delivery-verdict.ts'
import { VerdictAction } from './verdict-action.tsx'

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
