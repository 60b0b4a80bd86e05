import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Stands between a client and a service, so that a test can kill the client before or after the service commits. */
export interface RequestGate extends AsyncDisposable {
  readonly url: string
  /** Resolves when the next POST has arrived, which never reaches the service, or when its answer has, which never leaves. */
  holdNext(what: 'request' | 'answer'): Promise<void>
}

export async function startRequestGate(serviceUrl: string): Promise<RequestGate> {
  let held: { what: 'request' | 'answer'; resolve: () => void } | null = null
  const server = createServer((request, response) => {
    void (async () => {
      const body = await buffer(request)
      const holding = request.method === 'POST' ? held : null
      if (holding !== null) held = null
      if (holding?.what === 'request') return holding.resolve()
      const { authorization = '', 'content-type': type = 'application/json' } = request.headers
      const answer = await fetch(serviceUrl + (request.url ?? ''), {
        method: request.method ?? 'GET',
        headers: { authorization, 'content-type': type },
        ...(body.length > 0 && { body }),
      })
      const text = await answer.text()
      if (holding?.what === 'answer') return holding.resolve()
      send(response, answer.status, text)
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    holdNext: async what => await new Promise(resolve => (held = { what, resolve })),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}
