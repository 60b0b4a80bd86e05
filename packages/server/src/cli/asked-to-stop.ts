/** Ctrl-C reaches a whole process group, and npm and bin/posthorn.js pass it on: what comes this close is one wish. */
const sameWishMs = 1_000

/**
 * Resolves with why the process is asked to stop: a signal, or the end of the process that started it with a channel
 * (bin/posthorn.js, killed outright). A later signal ends it at once.
 */
export async function askedToStop(): Promise<string> {
  return await new Promise(resolve => {
    let firstAtMs: number | undefined
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        firstAtMs ??= performance.now()
        if (performance.now() - firstAtMs > sameWishMs) process.exit(1)
        resolve(signal)
      })
    }
    process.once('disconnect', () => resolve('the process that started this one is gone'))
    // being ready to hear that must not keep a drained service alive
    process.channel?.unref()
  })
}
