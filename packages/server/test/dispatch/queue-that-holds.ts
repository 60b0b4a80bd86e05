import { BulkStarts } from '../../src/domain/bulk-starts.ts'
import { SendQueue } from '../../src/dispatch/send-queue.ts'

/** A send queue with room for what is claimed that starts none of it. */
export function queueThatHolds(): SendQueue {
  return new SendQueue({
    clock: { monotonicMs: () => 0 },
    bulk: new BulkStarts(() => Number.POSITIVE_INFINITY),
    soon: () => {},
    inFlightMax: 2_000,
    inFlightPerEndpointMax: 1_000,
    unsettled: () => 0,
    unsettledOf: () => 0,
    start: () => {},
  })
}
