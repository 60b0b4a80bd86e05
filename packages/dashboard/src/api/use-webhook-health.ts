import type { WebhookHealth } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useLive } from './use-live.ts'

/** The health of one endpoint, refreshed every 5 s, or every 2 s while `isWatched`. */
export function useWebhookHealth(
  id: string,
  isWatched = false,
): { health: WebhookHealth | undefined; error: Error | null } {
  const { data, error } = useLive({
    key: ['webhook-health', id],
    load: async (call, signal) => await call('getWebhookHealth', { params: { id }, signal }),
    everyMs: isWatched ? 2_000 : 5_000,
  })
  const listed = useQueryClient().getQueryData<WebhookHealth[]>(['webhook-health'])
  return { health: data ?? listed?.find(health => health.webhook_id === id), error }
}
