import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StartedExample } from './receiver-suite.ts'

/** Serves an example on a free port of loopback. */
export async function served(
  listener: RequestListener,
  processed: readonly string[],
): Promise<StartedExample> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    processed,
    send: async request => await fetch(`http://127.0.0.1:${port}/hooks`, await asInit(request)),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** The same request for another address. */
export async function asInit(request: Request): Promise<RequestInit> {
  return { method: request.method, headers: request.headers, body: await request.arrayBuffer() }
}
