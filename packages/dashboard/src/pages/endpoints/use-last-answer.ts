import type { WebhookHealth } from '@posthorn/contract'
import { useLive } from '../../api/use-live.ts'
import { deliveryReason } from '../../words/delivery-reason.ts'

/**
 * The answer of an endpoint to the latest failed delivery, such as `500 from your server`; null if the error code is
 * clearer, or if nothing fails.
 */
export function useLastAnswer(id: string, health: WebhookHealth | undefined): string | null {
  const isDegraded = health?.state === 'degraded' && health.last_error_code === null
  const isFailing = health?.status === 'enabled' && health.last_error_code === 'status_not_2xx'
  const isAsked = isDegraded || isFailing
  const { data } = useLive({
    key: ['deliveries', 'last-answer', id],
    load: async (call, signal) => {
      const page = await call('listDeliveries', {
        params: { id },
        query: { state: ['failed'], limit: 1 },
        signal,
      })
      return page.data[0] ?? null
    },
    everyMs: 60_000,
    enabled: isAsked,
  })
  return isAsked && data !== undefined && data !== null ? deliveryReason(data) : null
}
