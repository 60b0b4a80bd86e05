import { Worker } from 'node:worker_threads'
import type { OpenPace } from './load-plan.ts'

/** Time for the thread to start before the first request. */
const startMs = 200

/**
 * The send times of an open loop in epoch milliseconds with fractions. The gaps are exponential, as with independent
 * senders. Every run has the same times, and their number matches the rate exactly.
 */
export function sendMoments({ requestsPerSecond, seconds }: OpenPace): Float64Array {
  const count = Math.max(1, Math.round(requestsPerSecond * seconds))
  const random = seeded(count)
  const gaps = Float64Array.from({ length: count }, () => -Math.log(1 - random()))
  const scale = (seconds * 1_000) / gaps.reduce((sum, gap) => sum + gap, 0)
  let atMs = performance.timeOrigin + performance.now() + startMs
  return gaps.map(gap => (atMs += gap * scale))
}

/** Reports when send times are due. */
export class Moments {
  /**
   * A timer of Node.js can be a millisecond late, which would count as latency. A thread that waits on a futex is only about
   * 0.1 ms late. All plans of the process share it, because starting a thread is slow.
   */
  readonly #worker = new Worker(new URL('moments-worker.ts', import.meta.url))

  /** Calls back with the number of send times that are due, until all are. One list at a time. */
  on(moments: Float64Array, onDue: (count: number) => void): void {
    this.#worker.removeAllListeners('message')
    this.#worker.on('message', onDue)
    this.#worker.postMessage(moments)
  }
}

/** Mulberry32, a small random number generator with a seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
