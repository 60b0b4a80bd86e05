import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What happens to the requests of a front to a shard: `open` passes everything, `closed` ends all connections, `no_reports`
 * loses reports, `mute` loses the answers to reports, and `cut` ends all answers soon after their headers, except to the
 * question how the shard is.
 */
export type ProxyMode = 'open' | 'closed' | 'no_reports' | 'mute' | 'cut'

/** Stands between a front and a shard, so that a test can lose requests and answers. */
export interface ShardProxy extends AsyncDisposable {
  readonly url: string
  set(mode: ProxyMode): void
  /** How many answers it has lost. */
  lostAnswers(): number
}

const reportLine = 'POST /v1/outcomes '
const statusLine = 'GET /internal/shard '

export async function startShardProxy(shardUrl: string): Promise<ShardProxy> {
  const { hostname, port } = new URL(shardUrl)
  const sockets = new Set<Socket>()
  let mode: ProxyMode = 'open'
  let lost = 0
  const server = createServer(client => {
    if (mode === 'closed') return void client.destroy()
    const shard = connect(Number(port), hostname)
    const end = (): void => {
      client.destroy()
      shard.destroy()
    }
    for (const socket of [client, shard]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    let isMuted = false
    let isCut = false
    client.on('data', data => {
      const begins = (line: string): boolean => data.subarray(0, line.length).toString('latin1') === line
      const isReport = begins(reportLine)
      isCut = mode === 'cut' && !begins(statusLine)
      if (isReport && mode === 'no_reports') return end()
      if (isReport && mode === 'mute') isMuted = true
      shard.write(data)
    })
    shard.on('data', data => {
      if (isCut) return void client.end(data.subarray(0, data.indexOf('\r\n\r\n') + 5))
      if (!isMuted) return void client.write(data)
      lost++
      end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: next => {
      mode = next
      if (next === 'closed') for (const socket of sockets) socket.destroy()
    },
    lostAnswers: () => lost,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
