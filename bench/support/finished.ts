import { setTimeout as wait } from 'node:timers/promises'

/** Waits until a service has brought this many deliveries to an end by its own metrics, or `timeoutMs` have passed. */
export async function finished(url: string, expected: number, timeoutMs = 180_000): Promise<number> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const ends = text.matchAll(/^posthorn_deliveries_finished_total\{state="\w+"\} (\d+)$/gm)
    const sum = [...ends].reduce((all, [, count]) => all + Number(count), 0)
    if (sum >= expected || performance.now() > deadline) return sum
    await wait(10)
  }
}
