import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { signatureIn } from '../../format/curl-command.ts'
import { eventBody } from '../../format/event-body.ts'

/** A delivery's last request: its signature and bytes. */
export interface SentRequest {
  readonly deliveryId: string
  readonly webhookId: string
  readonly startedAt: string
  readonly header: string
  /** The exact bytes as text. */
  readonly body: string
}

/** Loads the last request of a delivery; null if none was sent or kept. Without an id it loads nothing. */
export function useSentRequest(deliveryId: string | undefined): UseQueryResult<SentRequest | null> {
  const { call } = useApi()
  return useQuery({
    queryKey: ['deliveries', deliveryId, 'sent'],
    queryFn: async ({ signal }): Promise<SentRequest | null> => {
      if (deliveryId === undefined) return null
      const delivery = await call('getDelivery', { params: { id: deliveryId }, signal })
      const attempt = delivery.attempts?.findLast(one => one.request_headers !== null)
      const header = signatureIn(attempt?.request_headers ?? {})
      if (attempt === undefined || header === undefined) return null
      const event = await call('getEvent', { params: { id: delivery.event_id }, signal })
      if (event.erased_at !== null) return null
      return {
        deliveryId,
        webhookId: delivery.webhook_id,
        startedAt: attempt.started_at,
        header,
        body: eventBody(event),
      }
    },
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
