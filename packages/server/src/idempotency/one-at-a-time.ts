/**
 * Runs `work` when nothing else runs under this name, or gives up with undefined. Whoever waits here holds no
 * connection to the database, so that a thousand repetitions of one slow request take nobody else's.
 */
export async function oneAtATime<T>(
  running: Map<string, Promise<unknown>>,
  name: string,
  waitMsMax: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<'too long'>(resolve => {
    timer = setTimeout(() => resolve('too long'), waitMsMax)
  })
  try {
    // several may be let go at once: the first takes the place, the others wait for it
    for (let other = running.get(name); other !== undefined; other = running.get(name)) {
      if ((await Promise.race([other, tooLong])) === 'too long') return undefined
    }
  } finally {
    clearTimeout(timer)
  }
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  running.set(name, over)
  try {
    return await work()
  } finally {
    running.delete(name)
    end()
  }
}
