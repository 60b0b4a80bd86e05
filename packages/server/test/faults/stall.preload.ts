/** Loaded into a service with `--import`. On SIGUSR2 it blocks the event loop for five seconds. */
const stallMs = 5_000

process.on('SIGUSR2', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
})
