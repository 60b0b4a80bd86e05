import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import { percentile } from '../../../../bench/support/percentile.ts'
import { newCustomer } from '../support/api.ts'
import { startReceiver } from '../support/receiver.ts'
import { newInstallation, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { until } from '../support/until.ts'
import { fault } from './fault.ts'
import { reconcile } from './reconcile.ts'
import { startTraffic } from './traffic.ts'

/** Two minutes for a request, three for silence, and half a minute between two checks of the connections. */
const closedMsMax = 220_000
const each = 200

fault(
  'G8',
  'clients that send one byte per second or nothing delay no other request and are eventually disconnected',
  async seen => {
    await using place = await newDatabasePlace(newestServer())
    await using receiver = await startReceiver()
    await using service = await startService(newInstallation(place), { POSTHORN_RETRY_BASE_SECONDS: '1' })
    const customer = await newCustomer(service.url, service.operator)
    await customer.newWebhook({ url: receiver.url() })
    const port = Number(new URL(service.url).port)
    const head = `POST /v1/outcomes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${customer.apiKey}\r\n`
    const bodyHead = `${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`
    const fromMs = performance.now()
    const slow = {
      headers: await openMany(port, head, 'X'),
      bodies: await openMany(port, bodyHead, ' '),
      silent: await openMany(port, '', ''),
    }
    const traffic = startTraffic({ url: () => service.url, apiKey: customer.apiKey, pauseMs: 200 })
    const healthMs: number[] = []
    for (const [kind, sockets] of Object.entries(slow)) {
      await until(
        `all that are slow with ${kind} are closed`,
        async () => {
          const askedAtMs = performance.now()
          expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
          healthMs.push(performance.now() - askedAtMs)
          return sockets.every(socket => socket.destroyed)
        },
        closedMsMax,
      )
      seen(
        `${sockets.length} slow clients (${kind}): all closed ${Math.round((performance.now() - fromMs) / 1_000)} s after the start`,
      )
    }
    await traffic.stop()
    const { events } = await reconcile(customer, receiver, { accepted: traffic.accepted })
    expect([...traffic.answers.keys()]).toEqual([202])
    expect(percentile(healthMs, 0.99)).toBeLessThan(1_000)
    seen(
      `${events} other events at the same time; 99 % of other requests within ${percentile(healthMs, 0.99).toFixed(0)} ms`,
    )
  },
  600_000,
)

/** Opens connections that send `start` and then `byte` once a second. */
async function openMany(port: number, start: string, byte: string): Promise<Socket[]> {
  return await Promise.all(
    Array.from({ length: each }, async () => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.on('error', () => {})
      socket.resume()
      socket.write(start)
      const timer = setInterval(() => socket.write(byte), 1_000)
      socket.once('close', () => clearInterval(timer))
      return socket
    }),
  )
}
