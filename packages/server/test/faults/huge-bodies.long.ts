import { connect } from 'node:net'
import { expect } from 'vitest'
import { rssMiB } from '../../../../bench/support/rss.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { customerInTraffic } from './customer-in-traffic.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'

/** The memory that the requests may need. Each may have 10 MB, and parsing multiplies that. */
const growthMiBMax = 1_000

fault(
  'F5',
  'bodies that do not fit into memory are rejected at the size limit, and other reports still get 202',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '1' })
    const { customer, traffic } = await customerInTraffic(service, receiver)
    await receiver.waitForEvents(200)
    const before = rssMiB(service.pid)
    let most = before
    using watch = every(100, () => {
      most = Math.max(most, rssMiB(service.pid))
    })

    const port = Number(new URL(service.url).port)
    const head =
      `POST /v1/outcomes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${customer.apiKey}\r\n` +
      'Content-Type: application/json\r\n'
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, '['), Buffer.from('\r\n')])
    const times = Array.from({ length: 30 })
    const endless = times.map(
      async () => await statusOf(port, `${head}Transfer-Encoding: chunked\r\n\r\n`, chunk),
    )
    const announced = times.map(
      async () => await statusOf(port, `${head}Content-Length: 10000000000\r\n\r\n`, chunk),
    )
    const refused = await Promise.all([...endless, ...announced])
    // a client that is still sending may lose the answer with the connection
    expect(refused.filter(status => status !== 413 && status !== 0)).toEqual([])
    expect(refused).toContain(413)
    const deep = times.map(async (_, n) => {
      const body = n % 2 === 0 ? '['.repeat(10_000_000) : `[${'{},'.repeat(3_000_000)}{}]`
      return await statusOf(port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    })
    for (const status of await Promise.all(deep)) expect([400, 413, 422]).toContain(status)

    await traffic.stop()
    const { events } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect([...traffic.answers.keys()]).toEqual([202])
    expect(most - before).toBeLessThan(growthMiBMax)
    seen(
      `60 oversized bodies and 30 nested or long ones of 10 MB at once: ${(most - before).toFixed(0)} MiB more at most`,
    )
    seen(`${events} events from other reports at the same time`)
    watch[Symbol.dispose]()
  },
)

/** Sends `start`, then repeats `more` until there is an answer. Returns 0 if there is none. */
async function statusOf(port: number, start: string, more?: Buffer): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  const answered = new Promise<string>(resolve => {
    socket.once('data', bytes => resolve(bytes.toString('latin1')))
    socket.once('close', () => resolve('HTTP/1.1 0'))
  })
  // the connection may close while this side writes; an answer before that counts
  socket.on('error', () => {})
  socket.write(start)
  const send = (): void => {
    while (more !== undefined && socket.writable && socket.write(more));
  }
  socket.on('drain', send)
  send()
  const answer = await answered
  socket.destroy()
  return Number(answer.slice(9, 12))
}

function every(ms: number, look: () => void): Disposable {
  const timer = setInterval(look, ms)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
