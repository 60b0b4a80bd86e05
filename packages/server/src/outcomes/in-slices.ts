/** How long a slice may take before other work gets its turn. */
const sliceMsMax = 4

/**
 * Does `work` for each item in slices of a few milliseconds, and lets the event loop go on after each of them, so that a long
 * list does not delay other requests. A list that fits into one slice is done on return, without a promise.
 * @param nowMs a monotonic clock
 */
export function inSlices<T>(
  items: readonly T[],
  work: (item: T, index: number) => void,
  nowMs: () => number = () => performance.now(),
): Promise<void> | undefined {
  let done = 0
  const workOnSlice = (): void => {
    const untilMs = nowMs() + sliceMsMax
    do {
      if (done >= items.length) return
      work(items[done] as T, done)
      done++
    } while (nowMs() < untilMs)
  }
  const continueLater = async (): Promise<void> => {
    while (done < items.length) {
      await new Promise(resolve => setImmediate(resolve))
      workOnSlice()
    }
  }
  workOnSlice()
  return done < items.length ? continueLater() : undefined
}
