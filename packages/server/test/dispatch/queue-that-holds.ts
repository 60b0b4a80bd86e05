import { BulkStarts } from '../../src/domain/bulk-starts.ts'
import type { TakenDelivery } from '../../src/domain/taken-delivery.ts'
import { SendQueue, type Started } from '../../src/dispatch/send-queue.ts'

/**
 * A send queue with room for what is claimed that starts none of it.
 * @param proven endpoints at which an attempt has succeeded before
 * @param inFlightMax attempts at once; half of them at endpoints that are not proven
 */
export function queueThatHolds(
  proven: ReadonlyArray<Pick<TakenDelivery, 'accountId' | 'endpointId'>> = [],
  inFlightMax = 2_000,
): SendQueue {
  const started: Started[] = []
  const queue = new SendQueue({
    clock: { monotonicMs: () => 0 },
    bulk: new BulkStarts(() => Number.POSITIVE_INFINITY),
    soon: () => {},
    inFlightMax,
    inFlightPerEndpointMax: 1_000,
    gathered: () => 0,
    gatheredOf: () => 0,
    start: one => started.push(one),
  })
  for (const endpoint of proven) queue.add(endpoint as TakenDelivery, 0)
  queue.pump()
  for (const one of started) queue.finished(one, 'success', 1)
  return queue
}
