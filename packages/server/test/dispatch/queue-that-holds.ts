import type { SendQueue } from '../../src/dispatch/send-queue.ts'
import type { TakenDelivery } from '../../src/domain/taken-delivery.ts'
import { newQueue } from './new-queue.ts'

/**
 * A send queue with room for what is claimed that starts none of it.
 * @param proven endpoints at which an attempt has succeeded before
 * @param inFlightMax attempts at once; half of them at endpoints that are not proven
 */
export function queueThatHolds(
  proven: ReadonlyArray<Pick<TakenDelivery, 'accountId' | 'endpointId'>> = [],
  inFlightMax = 2_000,
): SendQueue {
  const { queue, started } = newQueue(inFlightMax, 1_000)
  for (const endpoint of proven) queue.add(endpoint as TakenDelivery, 0)
  queue.pump()
  for (const one of started) queue.finished(one, 'success', 1)
  return queue
}
