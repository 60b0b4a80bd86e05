import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import { type Customer, newCustomer } from '../../packages/server/test/support/api.ts'
import { newInstallation, startService } from '../../packages/server/test/support/service-process.ts'
import type { DatabasePlace } from '../../packages/server/test/support/test-database.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

const batch = 500

export interface Throughput {
  /** Deliveries per second, from the first report to the last settled delivery. */
  rate: number
  /** Reports of the ledger that do not agree; a run with any is void. */
  unbalanced: string[]
}

/** Outcomes in by HTTP batches, signed webhooks out to the cheap receiver, with everything on that a user has on. */
export async function productRate(
  place: DatabasePlace,
  outcomes: number,
  endpoints: number,
  fanOut: number,
): Promise<Throughput> {
  using receiver = await startReceiverProcess()
  await using service = await startService(newInstallation(place), { POSTHORN_LOG_LEVEL: 'info' })
  // one account for each group of endpoints that get the same event
  const customers = await Promise.all(
    Array.from({ length: Math.min(100, Math.ceil(endpoints / fanOut)) }, async () => {
      return await newCustomer(service.url, service.operator, 10_000)
    }),
  )
  for (let n = 0; n < endpoints; n++) {
    await customers[n % customers.length]?.newWebhook({ url: `http://127.0.0.1:${receiver.port}/${n}` })
  }
  const perOutcome = Math.max(1, Math.round(endpoints / customers.length))
  const count = Math.ceil(outcomes / perOutcome / batch) * batch

  const startedMs = performance.now()
  await feed(service.url, customers, count)
  const expected = count * perOutcome
  while ((await receiver.ledger()).requests < expected && performance.now() - startedMs < 120_000)
    await wait(20)
  const finished = await settled(service.url, expected)
  const rate = (finished / (performance.now() - startedMs)) * 1_000
  return { rate, unbalanced: balance(await receiver.ledger(), count, expected, finished) }
}

async function feed(url: string, customers: readonly Customer[], count: number): Promise<void> {
  const pool = new Pool(url, { connections: 4 })
  let next = 0
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let from = (next += batch); from <= count; from = next += batch) {
        const customer = customers[(from / batch) % customers.length]
        const { statusCode, body } = await pool.request({
          method: 'POST',
          path: '/v1/outcomes',
          headers: { authorization: `Bearer ${customer?.apiKey}`, 'content-type': 'application/json' },
          body: JSON.stringify(Array.from({ length: batch }, (_, n) => outcome(from + n))),
        })
        const text = await body.text()
        if (statusCode !== 202) throw new Error(`${statusCode}: ${text}`)
      }
    }),
  )
  await pool.close()
}

/** An outcome as mail servers report them: about half a kilobyte as an event. */
export function outcome(n: number): object {
  return {
    type: 'email.delivered',
    data: {
      email_id: `em_${n}`,
      to: [`reader${n}@example.org`],
      message_id: `${n}.7f3a9c@mail.acme.example`,
      from: 'Acme <no-reply@acme.example>',
      subject: `Your receipt number ${n}`,
      tags: { kind: 'receipt' },
      metadata: { order_id: n },
      smtp_response: { code: 250, enhanced_code: '2.0.0', message: `Ok: queued as ${n}` },
      remote_mta: { name: 'mx1.example.org', ip: '192.0.2.7' },
      attempts: 1,
    },
  }
}

/** Waits until the service has written down that all are delivered, and tells how many. */
async function settled(url: string, expected: number): Promise<number> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const delivered = Number(/finished_total\{state="delivered"\} (\d+)/.exec(metrics)?.[1] ?? 0)
    if (delivered >= expected || performance.now() > deadline) return delivered
    await wait(10)
  }
}

function balance(
  ledger: { requests: number; events: number },
  accepted: number,
  expected: number,
  finished: number,
): string[] {
  const unbalanced: string[] = []
  if (ledger.events !== accepted) unbalanced.push(`${accepted} events accepted, ${ledger.events} arrived`)
  if (ledger.requests !== expected) unbalanced.push(`${expected} deliveries, ${ledger.requests} requests`)
  if (finished !== expected) unbalanced.push(`${expected} deliveries, ${finished} settled as delivered`)
  return unbalanced
}
