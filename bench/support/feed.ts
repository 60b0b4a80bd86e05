import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { outcome } from './outcome.ts'

/**
 * Reports outcomes of many accounts in turn as fast as the service takes them, as the operator's mail server does:
 * batches over four connections.
 */
export async function feed(
  url: string,
  adminToken: string,
  accountIds: readonly string[],
  count: number,
  batch = 500,
): Promise<void> {
  const pool = new Pool(url, { connections: 4 })
  let from = 0
  /** Again after a second where it was put off, as a mail server does. */
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
  const reportAll = async (): Promise<void> => {
    for (let first = from; first < count; first = from) {
      from += batch
      const outcomes = Array.from({ length: Math.min(batch, count - first) }, (_, offset) => ({
        account_id: accountIds[(first + offset) % accountIds.length],
        ...outcome(first + offset),
      }))
      await report(JSON.stringify(outcomes))
    }
  }
  await Promise.all(Array.from({ length: 4 }, reportAll))
  await pool.close()
}
