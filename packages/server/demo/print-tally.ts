import type { Client } from '@posthorn/client'
import { table } from '../src/cli/table.ts'
import type { Endpoint } from './customer.ts'
import type { Receiver } from './receiver.ts'
import { line } from './screen.ts'
import { tally } from './tally.ts'
import type { Traffic } from './traffic.ts'
import { waitUntil } from './wait-until.ts'

const states = ['pending', 'failed', 'delivered', 'exhausted'] as const

/** Waits until nothing is left to send, prints the counts of the API and of the receivers, and returns differences. */
export async function printTally(
  customer: Client,
  endpoints: readonly { name: string; receiver: Receiver; endpoint: Endpoint }[],
  traffic: Traffic,
): Promise<string[]> {
  await waitUntil('nothing is left to send', async () => {
    const left = await Promise.all(
      endpoints.map(async ({ endpoint }) => await readDeliveries(customer, endpoint, 'pending,failed')),
    )
    return left.flat().length === 0
  })
  const rows = [['ENDPOINT', ...states.map(state => state.toUpperCase()), 'VERIFIED', 'REFUSED']]
  const differences: string[] = []
  for (const { name, receiver, endpoint } of endpoints) {
    const { acknowledged, refusedCount } = receiver
    const deliveries = await readDeliveries(customer, endpoint)
    const found = tally({ name, subscribed: endpoint.events, deliveries, acknowledged }, traffic.accepted)
    const counts = [...states.map(state => found.states.get(state) ?? 0), acknowledged.size, refusedCount]
    rows.push([name, ...counts.map(String)])
    differences.push(...found.differences)
    if (refusedCount > 0) differences.push(`${name}: ${refusedCount} requests did not verify`)
  }
  for (const row of table(rows).split('\n')) line(row)
  return differences
}

async function readDeliveries(customer: Client, { id }: Endpoint, state?: string) {
  return await Array.fromAsync(
    customer.each('listDeliveries', { params: { id }, query: { limit: 250, state } }),
  )
}
