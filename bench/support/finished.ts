import { setTimeout as wait } from 'node:timers/promises'

/** Not more often, because each request for metrics costs the service a millisecond or two. */
const lookEveryMs = 100

/** Waits until the metrics of the service count this many finished deliveries, or `timeoutMs` has passed. */
export async function finished(url: string, expected: number, timeoutMs = 180_000): Promise<number> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const count = await finishedNow(url)
    if (count >= expected || performance.now() > deadline) return count
    await wait(lookEveryMs)
  }
}

async function finishedNow(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const ends = text.matchAll(/^posthorn_deliveries_finished_total\{state="\w+"\} (\d+)$/gm)
  return [...ends].reduce((all, [, count]) => all + Number(count), 0)
}
