import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { rssMiB } from '../../../../bench/support/rss.ts'
import { newInstallation, type ServiceProcess, startService } from '../support/service-process.ts'
import { newDatabasePlace, newestServer } from '../support/test-database.ts'
import { fault } from './fault.ts'

const each = 250
const megabyte = 1_000_000
/** The test sends 250 MiB, and the process must discard most of them. */
const stalledMiBMax = 120
/** Each one would need 0.4 MiB. */
const unreadMiBMax = 40

fault('G8', 'most of the data of stalled bodies on routes without a session is discarded', async seen => {
  await using place = await newDatabasePlace(newestServer())
  await using service = await startService(newInstallation(place))
  for (const path of ['/v1/sessions', '/nowhere', '/u/token']) {
    const growth = await growthWith(service, stalledMiBMax, socket => {
      socket.write(`${head('POST', path)}Content-Length: ${megabyte}\r\n\r\n`)
      socket.write(Buffer.alloc(megabyte - 1, 'x'))
    })
    seen(`${each} stalled bodies of 1 MB on POST ${path}: ${growth} MiB more memory`)
  }
  const growth = await growthWith(service, stalledMiBMax, socket => {
    socket.write(`${head('GET', '/healthz')}Transfer-Encoding: chunked\r\n\r\nffffff\r\n`)
    socket.write(Buffer.alloc(megabyte, 'x'))
  })
  seen(`${each} stalled bodies of 1 MB on GET /healthz: ${growth} MiB more memory`)
})

fault('G8', 'connections that do not read their answer share one copy of it', async seen => {
  await using place = await newDatabasePlace(newestServer())
  await using service = await startService(newInstallation(place))
  const growth = await growthWith(service, unreadMiBMax, socket => {
    socket.pause()
    socket.write(`${head('GET', '/openapi.json')}\r\n`.repeat(8))
  })
  seen(`${each} connections that do not read /openapi.json: ${growth} MiB more memory`)
})

function head(method: string, path: string): string {
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nContent-Type: application/json\r\n`
}

/** How much the memory of the process grows while many connections have sent what `send` writes. */
async function growthWith(
  { url, pid }: ServiceProcess,
  growthMiBMax: number,
  send: (socket: Socket) => void,
): Promise<number> {
  const port = Number(new URL(url).port)
  // the process does not return memory that it has used once
  await fetch(`${url}/openapi.json`).then(async answer => await answer.text())
  const before = rssMiB(pid)
  const sockets: Socket[] = []
  let most = before
  try {
    for (let opened = 0; opened < each; opened++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      send(socket)
    }
    for (let look = 0; look < 30; look++) {
      most = Math.max(most, rssMiB(pid))
      expect((await fetch(`${url}/healthz`)).status).toBe(200)
      await wait(100)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  expect(most - before).toBeLessThan(growthMiBMax)
  return Math.round(most - before)
}
