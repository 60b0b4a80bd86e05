import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What happens to the requests of a front to a shard: `open` passes everything, `closed` ends all connections, `no_reports`
 * loses reports, and `mute` loses the answers to reports.
 */
export type ProxyMode = 'open' | 'closed' | 'no_reports' | 'mute'

/** Stands between a front and a shard, so that a test can lose requests and answers. */
export interface ShardProxy extends AsyncDisposable {
  readonly url: string
  set(mode: ProxyMode): void
  /** How many answers it has lost. */
  lostAnswers(): number
}

const reportLine = 'POST /v1/outcomes '

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
    client.on('data', data => {
      const isReport = data.subarray(0, reportLine.length).toString('latin1') === reportLine
      if (isReport && mode === 'no_reports') return end()
      if (isReport && mode === 'mute') isMuted = true
      shard.write(data)
    })
    shard.on('data', data => {
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
