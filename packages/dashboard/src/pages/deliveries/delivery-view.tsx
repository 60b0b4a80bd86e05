import type { Delivery } from '@posthorn/contract'
import { useWebhooks } from '../../api/use-webhooks.ts'
import { useMayChange } from '../../app/session.ts'
import { Problem } from '../../components/problem.tsx'
import { AttemptTimeline } from './attempt-timeline.tsx'
import { DeliveryActions } from './delivery-actions.tsx'
import { DeliveryHeader } from './delivery-header.tsx'
import { DeliveryVerdictPanel } from './delivery-verdict-panel.tsx'
import { PrintedEvidence } from './printed-evidence.tsx'
import { RetryResult } from './retry-result.tsx'
import { useEventBody } from './use-event-body.ts'
import { useRetry } from './use-retry.ts'

export interface DeliveryViewProps {
  readonly delivery: Delivery
  /** Why the shown data could not be refreshed. */
  readonly error: Error | null
  readonly readAtMs: number
}

/** One delivery: verdict, attempts, evidence. Only the evidence is printed. */
export function DeliveryView({ delivery, error, readAtMs }: DeliveryViewProps) {
  const endpoint = useWebhooks().data?.find(({ id }) => id === delivery.webhook_id)
  const body = useEventBody(delivery.event_id)
  const retry = useRetry(delivery)
  const mayChange = useMayChange()
  return (
    <>
      <div className="space-y-4 print:hidden">
        <DeliveryHeader
          delivery={delivery}
          endpoint={endpoint}
          actions={
            <DeliveryActions
              delivery={delivery}
              endpoint={endpoint}
              body={body.text}
              retry={mayChange ? retry : null}
            />
          }
        />
        {error !== null && <Problem error={error} readAtMs={readAtMs} />}
        <div className="space-y-2">
          <DeliveryVerdictPanel delivery={delivery} endpoint={endpoint} />
          <RetryResult retry={retry} />
        </div>
        <AttemptTimeline delivery={delivery} url={endpoint?.url ?? null} body={body} />
      </div>
      <PrintedEvidence delivery={delivery} endpoint={endpoint} body={body.text} />
    </>
  )
}
