import { Worker } from 'node:worker_threads'
import type { OpenPace } from './load-plan.ts'

/** Before the first moment, for the thread to start. */
const startMs = 200

/**
 * The moments of an open loop, in epoch milliseconds with fractions: as independent senders would choose them
 * (exponential gaps), the same ones in each run, and exactly as many as the rate says.
 */
export function sendMoments({ requestsPerSecond, seconds }: OpenPace): Float64Array {
  const count = Math.max(1, Math.round(requestsPerSecond * seconds))
  const random = seeded(count)
  const gaps = Float64Array.from({ length: count }, () => -Math.log(1 - random()))
  const scale = (seconds * 1_000) / gaps.reduce((sum, gap) => sum + gap, 0)
  let atMs = performance.timeOrigin + performance.now() + startMs
  return gaps.map(gap => (atMs += gap * scale))
}

/** Tells when moments have come. */
export class Moments {
  /**
   * A timer of Node.js is late by up to a millisecond, which would count as latency; a thread that waits on a futex is
   * late by some 0.1 ms. It serves all plans of its process: to start one takes a tenth of a second of a core.
   */
  readonly #worker = new Worker(new URL('moments-worker.ts', import.meta.url))

  /** Calls back with the number of moments that have come, until all have. One list at a time. */
  on(moments: Float64Array, onDue: (count: number) => void): void {
    this.#worker.removeAllListeners('message')
    this.#worker.on('message', onDue)
    this.#worker.postMessage(moments)
  }
}

/** Mulberry32: small and even enough, and the same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
