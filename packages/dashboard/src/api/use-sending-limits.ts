import type { SendingLimits } from '@posthorn/contract'
import { type Live, useLive } from './use-live.ts'

/** What the account may send and has sent. */
export function useSendingLimits(): Live<SendingLimits> {
  return useLive({
    key: ['sending-limits'],
    load: async (call, signal) => await call('getSendingLimits', { signal }),
    everyMs: 30_000,
  })
}
