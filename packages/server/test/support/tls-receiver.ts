import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TlsOptions } from 'node:tls'
import type { Certificate } from '../egress/certificate.ts'

/** A server on this machine with a certificate that the test has made. */
export interface TlsReceiver extends AsyncDisposable {
  /** `https://localhost:<port>` with the path. */
  url(path: string): string
  /** The method and path of each request, in order. */
  readonly requests: string[]
}

export async function startTlsReceiver(
  { cert, key }: Certificate,
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  options: TlsOptions = {},
): Promise<TlsReceiver> {
  const requests: string[] = []
  const server = createServer({ ...options, cert, key }, (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    respond(request, response)
  })
  // listens on both addresses of localhost
  server.listen(0, '::')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: path => `https://localhost:${port}${path}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
