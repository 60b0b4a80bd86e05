import { createHmac, createSecretKey } from 'node:crypto'
import { Pool } from 'undici'
import type { Certificate } from '../../packages/server/test/egress/certificate.ts'
import { startReceiverProcess } from '../support/receiver-process.ts'

/**
 * The upper limit for comparison: a client that only signs and posts the same bodies, with as many connections as the
 * product. It posts `warmUp` bodies first and returns its rate per second.
 */
export async function bareClientRate(
  bodies: readonly Buffer[],
  endpoints: number,
  connections: number,
  warmUp: number,
  certificate: Certificate | null,
): Promise<number> {
  using receiver = await startReceiverProcess(certificate ?? undefined)
  const pool = new Pool(
    certificate === null ? `http://127.0.0.1:${receiver.port}` : `https://localhost:${receiver.port}`,
    { connections, pipelining: 1, ...(certificate !== null && { connect: { ca: certificate.cert } }) },
  )
  const key = createSecretKey(Buffer.from('whsec_0123456789012345678901234567890123456789012'))
  let next = 0
  const post = async (n: number): Promise<void> => {
    const body = bodies[n % bodies.length] ?? Buffer.alloc(0)
    const t = Math.floor(Date.now() / 1_000)
    const signature = createHmac('sha256', key).update(`${t}.`).update(body).digest('hex')
    const { body: answer } = await pool.request({
      method: 'POST',
      path: `/ok/${n % endpoints}`,
      headers: [
        'Content-Type',
        'application/json',
        'X-Service-Signature',
        `t=${t},v1=${signature}`,
        'X-Service-Event-Id',
        `evt_${n}`,
        'User-Agent',
        'bare',
      ],
      body,
    })
    await answer.dump()
  }
  const run = async (count: number): Promise<void> => {
    const until = next + count
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (next < until) await post(next++)
      }),
    )
  }
  await run(warmUp)
  const startedMs = performance.now()
  await run(bodies.length)
  const rate = (bodies.length / (performance.now() - startedMs)) * 1_000
  await pool.close()
  return rate
}
