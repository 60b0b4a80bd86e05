import type { EventTypeInfo } from '@posthorn/contract'
import { type Live, useLive } from '../../api/use-live.ts'

/** The event types. They change only with the service's version. */
export function useEventTypes(): Live<EventTypeInfo[]> {
  return useLive({
    key: ['event-types'],
    load: async (call, signal) => (await call('listEventTypes', { query: { limit: 250 }, signal })).data,
    everyMs: null,
  })
}
