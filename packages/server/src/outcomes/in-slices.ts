/**
 * Does something with each item, and lets everything else that waits for the event loop go first after each `sliceMax` of
 * them: a long list costs those who sent little no more than a slice. What fits into one slice is done on return, without a
 * promise.
 */
export function inSlices<T>(
  items: readonly T[],
  sliceMax: number,
  work: (item: T, index: number) => void,
): Promise<void> | undefined {
  if (items.length > sliceMax) return sliceBySlice(items, sliceMax, work)
  items.forEach(work)
  return undefined
}

async function sliceBySlice<T>(
  items: readonly T[],
  sliceMax: number,
  work: (item: T, index: number) => void,
): Promise<void> {
  for (let first = 0; first < items.length; first += sliceMax) {
    if (first > 0) await new Promise(resolve => setImmediate(resolve))
    items.slice(first, first + sliceMax).forEach((item, offset) => work(item, first + offset))
  }
}
