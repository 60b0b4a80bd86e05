/** Whether `work` has ended after so long; if not, `giveUp` is called. */
export async function endsWithin(ms: number, work: Promise<void>, giveUp: () => void): Promise<boolean> {
  const { promise: isLate, resolve } = Promise.withResolvers<boolean>()
  using _ = doLater(ms, () => {
    giveUp()
    resolve(false)
  })
  return await Promise.race([work.then(() => true), isLate])
}

/** Does something after so long, unless it is disposed before. */
export function doLater(ms: number, work: () => void): Disposable {
  const timer = setTimeout(work, ms)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}
