const firstPauseMs = 10
const longestPauseMs = 100

/**
 * Polls a condition until it returns something other than undefined, null or false. Tests use it instead of sleeping. Slow
 * conditions are polled less often, because they may cost the service and its database a request.
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
