import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type Queue, type QueueLimits, readQueue } from './read-queue.ts'

/** From this size, counting the queue is slow. */
const longFrom = 1_000
/** Counting a long queue may use 1 % of the time. */
const pauseFactor = 99

/** Reads the size of the queue. For a long queue, it returns a recent result, so that frequent calls cost little. */
export type QueueReader = () => Promise<Queue>

export function openQueueReader(
  db: Queryable,
  clock: Pick<Clock, 'monotonicMs'>,
  limits: QueueLimits,
): QueueReader {
  let latest: Promise<Queue> | undefined
  let goodUntilMs = Number.NEGATIVE_INFINITY
  const read = async (): Promise<Queue> => {
    const fromMs = clock.monotonicMs()
    goodUntilMs = Number.POSITIVE_INFINITY
    try {
      const queue = await readQueue(db, limits)
      const nowMs = clock.monotonicMs()
      goodUntilMs = queue.waiting < longFrom ? nowMs : nowMs + (nowMs - fromMs) * pauseFactor
      return queue
    } catch (error) {
      latest = undefined
      throw error
    }
  }
  return async () => {
    if (latest === undefined || clock.monotonicMs() >= goodUntilMs) latest = read()
    return await latest
  }
}
