import { setTimeout as wait } from 'node:timers/promises'

/**
 * Waits until the services have brought this many deliveries to an end together, by their own metrics, or `timeoutMs`
 * have passed.
 */
export async function finished(
  urls: string | readonly string[],
  expected: number,
  timeoutMs = 180_000,
): Promise<number> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const counts = await Promise.all([urls].flat().map(finishedNow))
    const sum = counts.reduce((all, count) => all + count, 0)
    if (sum >= expected || performance.now() > deadline) return sum
    await wait(10)
  }
}

async function finishedNow(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const ends = text.matchAll(/^posthorn_deliveries_finished_total\{state="\w+"\} (\d+)$/gm)
  return [...ends].reduce((all, [, count]) => all + Number(count), 0)
}
