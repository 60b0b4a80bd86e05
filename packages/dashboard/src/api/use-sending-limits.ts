import type { SendingLimits } from '@posthorn/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useLive } from './use-live.ts'

/** What the account may send and has sent. */
export function useSendingLimits(): UseQueryResult<SendingLimits> {
  return useLive({
    key: ['sending-limits'],
    load: async (call, signal) => await call('getSendingLimits', { signal }),
    everyMs: 30_000,
  })
}
