import { parentPort } from 'node:worker_threads'

const never = new Int32Array(new SharedArrayBuffer(4))

parentPort?.on('message', (moments: Float64Array) => {
  for (let come = 0; come < moments.length; ) {
    const leftMs = (moments[come] ?? 0) - (performance.timeOrigin + performance.now())
    if (leftMs > 0) Atomics.wait(never, 0, 0, leftMs)
    else come = tellWhatHasCome(moments, come)
  }
})

function tellWhatHasCome(moments: Float64Array, before: number): number {
  const nowMs = performance.timeOrigin + performance.now()
  let come = before
  while (come < moments.length && (moments[come] ?? 0) <= nowMs) come++
  parentPort?.postMessage(come)
  return come
}
