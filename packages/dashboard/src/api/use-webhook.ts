import type { Webhook } from '@posthorn/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useLive } from './use-live.ts'

/** One endpoint, refreshed every minute and right after a change on this page. */
export function useWebhook(id: string): {
  webhook: Webhook | undefined
  error: Error | null
  retry: () => void
} {
  const { data, error, refetch } = useLive({
    key: ['webhooks', id],
    load: async (call, signal) => await call('getWebhook', { params: { id }, signal }),
    everyMs: 60_000,
  })
  const listed = useQueryClient().getQueryData<Webhook[]>(['webhooks'])
  return { webhook: data ?? listed?.find(webhook => webhook.id === id), error, retry: () => void refetch() }
}
