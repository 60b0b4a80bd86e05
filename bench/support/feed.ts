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
  const reportAll = async (): Promise<void> => {
    for (let first = from; first < count; first = from) {
      from += batch
      const outcomes = Array.from({ length: Math.min(batch, count - first) }, (_, offset) => ({
        account_id: accountIds[(first + offset) % accountIds.length],
        ...outcome(first + offset),
      }))
      const { statusCode, body } = await pool.request({
        method: 'POST',
        path: '/v1/outcomes',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(outcomes),
      })
      const text = await body.text()
      if (statusCode !== 202) throw new Error(`${statusCode}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: 4 }, reportAll))
  await pool.close()
}
