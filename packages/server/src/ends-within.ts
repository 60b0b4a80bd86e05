/** Whether `work` ends within the time; if not, it calls `giveUp`. */
export async function endsWithin(ms: number, work: Promise<void>, giveUp: () => void): Promise<boolean> {
  const { promise: isLate, resolve } = Promise.withResolvers<boolean>()
  using _ = doLater(ms, () => {
    giveUp()
    resolve(false)
  })
  return await Promise.race([work.then(() => true), isLate])
}

/** Runs `work` after the time, unless disposed before. */
export function doLater(ms: number, work: () => void): Disposable {
  const timer = setTimeout(work, ms)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
