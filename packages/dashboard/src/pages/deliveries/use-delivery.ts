import type { Delivery } from '@posthorn/contract'
import { type Live, useLive } from '../../api/use-live.ts'

const everyMs = { pending: 1_000, failed: 2_000, delivered: 10_000, exhausted: 10_000 } as const

/** One delivery with its attempts, refreshed as often as its state can change. */
export function useDelivery(id: string): Live<Delivery> {
  return useLive({
    key: ['deliveries', id],
    load: async (call, signal) => await call('getDelivery', { params: { id }, signal }),
    everyMs: latest => everyMs[latest?.state ?? 'failed'],
  })
}
