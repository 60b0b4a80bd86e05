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

/**
 * Sends reports as fast as the service accepts them, over four connections, like the operator's mail server.
 * @param credentials the operator token, or API keys that the reports use in turn
 */
export async function feed(
  url: string,
  credentials: string | readonly string[],
  reports: Iterable<string>,
  connections = 4,
): Promise<void> {
  const pool = new Pool(url, { connections })
  const each = [credentials].flat()
  /** Repeats a report after a second if it got 503, like a mail server. */
  const report = async (body: string, credential: string): Promise<void> => {
    for (;;) {
      const answer = await pool.request({
        method: 'POST',
        path: '/v1/outcomes',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body,
      })
      const text = await answer.body.text()
      if (answer.statusCode === 202) return
      if (answer.statusCode !== 503) throw new Error(`${answer.statusCode}: ${text}`)
      await wait(1_000)
    }
  }
  const left = reports[Symbol.iterator]()
  let sent = 0
  const reportAll = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true; next = left.next()) {
      await report(next.value, each[sent++ % each.length] ?? '')
    }
  }
  await Promise.all(Array.from({ length: connections }, reportAll))
  await pool.close()
}
