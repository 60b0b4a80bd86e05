/** Waits for the given time, or until stopped. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await new Promise<void>(resolve => {
    const done = (): void => {
      clearTimeout(timer)
      stop.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    stop.addEventListener('abort', done)
    if (stop.aborted) done()
  })
}
