import { type Live, useLive } from '../api/use-live.ts'
import { lastOutage, type SeenOutage } from './last-outage.ts'

/** The latest outage of an endpoint within a week, by default refreshed every minute; null if there was none. */
export function useOutage(
  webhookId: string,
  { enabled = true, everyMs = 60_000 }: { enabled?: boolean; everyMs?: number } = {},
): Live<SeenOutage | null> {
  return useLive({
    key: ['outage', webhookId],
    load: async (call, signal) => await lastOutage(call, webhookId, Date.now(), signal),
    everyMs,
    enabled,
  })
}
