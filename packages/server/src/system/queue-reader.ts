import type { Clock } from '../context.ts'
import type { Queryable } from '../db/database.ts'
import { type Queue, readQueue } from './read-queue.ts'

/** Counting a long queue takes a tenth of a second of the database: of the time it may take a hundredth. */
const restTimes = 99

/** The queue as it is in the database, or was a moment ago: however many ask and how often, it costs no more. */
export type QueueReader = () => Promise<Queue>

export function openQueueReader(db: Queryable, clock: Pick<Clock, 'monotonicMs'>): QueueReader {
  let latest: Promise<Queue> | undefined
  let goodUntilMs = Number.NEGATIVE_INFINITY
  const read = async (): Promise<Queue> => {
    const fromMs = clock.monotonicMs()
    goodUntilMs = Number.POSITIVE_INFINITY
    try {
      return await readQueue(db)
    } catch (error) {
      latest = undefined
      throw error
    } finally {
      const nowMs = clock.monotonicMs()
      goodUntilMs = nowMs + (nowMs - fromMs) * restTimes
    }
  }
  return async () => {
    if (latest === undefined || clock.monotonicMs() >= goodUntilMs) latest = read()
    return await latest
  }
}
