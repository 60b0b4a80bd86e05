/** How long one slice may take: others wait so long at most, and an item that takes longer is a slice of its own. */
const sliceMsMax = 4

/**
 * Does something with each item, and lets everything else that waits for the event loop go first after each slice of a
 * few milliseconds: a long list costs those who sent little no more than a slice. What fits into one slice is done on
 * return, without a promise.
 *
 * @param nowMs of a clock that never goes back
 */
export function inSlices<T>(
  items: readonly T[],
  work: (item: T, index: number) => void,
  nowMs: () => number = () => performance.now(),
): Promise<void> | undefined {
  const done = workOn(items, 0, work, nowMs)
  return done < items.length ? sliceBySlice(items, done, work, nowMs) : undefined
}

async function sliceBySlice<T>(
  items: readonly T[],
  from: number,
  work: (item: T, index: number) => void,
  nowMs: () => number,
): Promise<void> {
  for (let done = from; done < items.length; ) {
    await new Promise(resolve => setImmediate(resolve))
    done = workOn(items, done, work, nowMs)
  }
}

/** Works on one slice; returns how many items are done then. */
function workOn<T>(
  items: readonly T[],
  from: number,
  work: (item: T, index: number) => void,
  nowMs: () => number,
): number {
  const untilMs = nowMs() + sliceMsMax
  for (let at = from; at < items.length; at++) {
    work(items[at] as T, at)
    if (nowMs() >= untilMs) return at + 1
  }
  return items.length
}
