import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type Queue, readQueue } from './read-queue.ts'

/** From so many deliveries on a queue is long: counting it takes the database up to a tenth of a second. */
const longFrom = 1_000
/** A long queue may take a hundredth of the time. */
const restTimes = 99

/** The queue as it is in the database; a long one as it was a moment ago: however many ask and how often, it costs no more. */
export type QueueReader = () => Promise<Queue>

export function openQueueReader(db: Queryable, clock: Pick<Clock, 'monotonicMs'>): QueueReader {
  let latest: Promise<Queue> | undefined
  let goodUntilMs = Number.NEGATIVE_INFINITY
  const read = async (): Promise<Queue> => {
    const fromMs = clock.monotonicMs()
    goodUntilMs = Number.POSITIVE_INFINITY
    try {
      const queue = await readQueue(db)
      const nowMs = clock.monotonicMs()
      goodUntilMs = queue.waiting < longFrom ? nowMs : nowMs + (nowMs - fromMs) * restTimes
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
