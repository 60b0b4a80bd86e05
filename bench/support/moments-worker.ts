import { parentPort, workerData } from 'node:worker_threads'

/** Sleeps from moment to moment, and tells how many have come. */
const moments = workerData as Float64Array
const never = new Int32Array(new SharedArrayBuffer(4))

for (let come = 0; come < moments.length; ) {
  const leftMs = (moments[come] ?? 0) - (performance.timeOrigin + performance.now())
  if (leftMs > 0) Atomics.wait(never, 0, 0, leftMs)
  else {
    const nowMs = performance.timeOrigin + performance.now()
    while (come < moments.length && (moments[come] ?? 0) <= nowMs) come++
    parentPort?.postMessage(come)
  }
}
