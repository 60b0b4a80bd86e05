import { BulkStarts } from '../../src/domain/bulk-starts.ts'
import { SendQueue, type SendQueueOptions, type Started } from '../../src/dispatch/send-queue.ts'
import { someDelivery } from './some-delivery.ts'

/**
 * A send queue, and the attempts that it has begun, which end when the test says so. Only what differs needs to be said: by
 * default nothing has a pace, and it is always the same moment.
 */
export function newQueue(
  inFlightMax: number,
  inFlightPerEndpointMax: number,
  options: Partial<SendQueueOptions> = {},
): { queue: SendQueue; started: Started[] } {
  const started: Started[] = []
  const queue = new SendQueue({
    clock: { monotonicMs: () => 0 },
    bulk: new BulkStarts(() => Number.POSITIVE_INFINITY),
    soon: () => {},
    inFlightMax,
    inFlightPerEndpointMax,
    gathered: () => 0,
    gatheredOf: () => 0,
    start: one => started.push(one),
    ...options,
  })
  return { queue, started }
}

/** Lets one attempt at an endpoint, of the account named after it, end, so that the queue knows how it fares. */
export function prove(
  queue: SendQueue,
  started: Started[],
  endpointId: string,
  outcome: 'success' | 'failure',
  durationMs = 1,
): void {
  queue.add(someDelivery(`account of ${endpointId}`, endpointId), 0)
  queue.pump()
  const one = started.pop()
  if (one === undefined) throw new Error('it was not started')
  queue.finished(one, outcome, durationMs)
}
