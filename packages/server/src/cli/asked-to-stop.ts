/** Ctrl-C signals the whole process group, and npm and bin/posthorn.js forward it, so one Ctrl-C arrives several times. */
const sameRequestMs = 1_000

/**
 * Resolves with the reason to stop: a signal, or the end of the parent process (bin/posthorn.js), which closes the IPC
 * channel. A later signal ends the process at once.
 */
export async function askedToStop(): Promise<string> {
  return await new Promise(resolve => {
    let firstAtMs: number | undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        firstAtMs ??= performance.now()
        if (performance.now() - firstAtMs > sameRequestMs) process.exit(1)
        resolve(signal)
      })
    }
    process.once('disconnect', () => resolve('the parent process is gone'))
    // this listener must not keep a drained service alive
    process.channel?.unref()
  })
}
