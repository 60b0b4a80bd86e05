import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { outcome } from './outcome.ts'

/** Generates report bodies with `count` outcomes that are distributed over these accounts. */
export function* reportsOf(
  accountIds: readonly string[],
  count: number,
  batch = 500,
): Generator<string, undefined> {
  for (let first = 0; first < count; first += batch) {
    const outcomes = Array.from({ length: Math.min(batch, count - first) }, (_, offset) => ({
      account_id: accountIds[(first + offset) % accountIds.length],
      ...outcome(first + offset),
    }))
    yield JSON.stringify(outcomes)
  }
}

/** Sends reports as fast as the service accepts them, over four connections, like the operator's mail server. */
export async function feed(url: string, adminToken: string, reports: Iterable<string>): Promise<void> {
  const pool = new Pool(url, { connections: 4 })
  /** Repeats a report after a second if it got 503, like a mail server. */
  const report = async (body: string): Promise<void> => {
    for (;;) {
      const answer = await pool.request({
        method: 'POST',
        path: '/v1/outcomes',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body,
      })
      const text = await answer.body.text()
      if (answer.statusCode === 202) return
      if (answer.statusCode !== 503) throw new Error(`${answer.statusCode}: ${text}`)
      await wait(1_000)
    }
  }
  const left = reports[Symbol.iterator]()
  const reportAll = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) await report(next.value)
  }
  await Promise.all(Array.from({ length: 4 }, reportAll))
  await pool.close()
}
