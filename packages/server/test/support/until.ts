const firstPauseMs = 10
const longestPauseMs = 100

/**
 * Waits for a condition: asks again and again until it answers something other than undefined, null or false.
 * A test that would sleep waits for what it is really waiting for instead. What takes long is asked for less often: a
 * question may cost the service and its database a request.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 120_000,
): Promise<Exclude<T, undefined | null | false>> {
  const since = performance.now()
  for (;;) {
    const answer = await condition()
    if (answer !== undefined && answer !== null && answer !== false) {
      return answer as Exclude<T, undefined | null | false>
    }
    const waitedMs = performance.now() - since
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`)
    const pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, waitedMs / 20))
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}
