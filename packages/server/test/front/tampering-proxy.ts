import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** What a shard answered. */
export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A proxy between a front and a shard that changes answers. */
export interface TamperingProxy extends AsyncDisposable {
  readonly url: string
  /** Changes the answers from now on; null passes them on. */
  tamper(change: ((answer: Answered, path: string) => Answered) | null): void
}

export async function startTamperingProxy(shardUrl: string): Promise<TamperingProxy> {
  let change: ((answer: Answered, path: string) => Answered) | null = null
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = '', headers } = incoming
    const sent = request(shardUrl + path, { method, headers })
    sent.on('error', () => outgoing.destroy())
    sent.on('response', response => {
      void buffer(response).then(body => {
        const { 'transfer-encoding': _, connection: __, ...kept } = response.headers
        const answer = { status: response.statusCode ?? 0, headers: kept, body }
        const changed = change?.(answer, path) ?? answer
        outgoing.writeHead(changed.status, { ...changed.headers, 'content-length': changed.body.length })
        outgoing.end(changed.body)
      })
    })
    incoming.pipe(sent)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    tamper: next => (change = next),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
