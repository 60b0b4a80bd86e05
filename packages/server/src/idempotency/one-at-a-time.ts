/**
 * Runs `work` when nothing else runs with this name, or returns undefined after the time limit. A waiting request holds no
 * database connection, so that a thousand copies of a slow request do not block other requests.
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
    // several may wake up at once: the first one runs, and the others wait for it
    for (let other = running.get(name); other !== undefined; other = running.get(name)) {
      if ((await Promise.race([other, tooLong])) === 'too long') return undefined
    }
  } finally {
    clearTimeout(timer)
  }
  const { promise: done, resolve: end } = Promise.withResolvers<void>()
  running.set(name, done)
  try {
    return await work()
  } finally {
    running.delete(name)
    end()
  }
}
