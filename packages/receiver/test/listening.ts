import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Running } from './adapter-suite.ts'

/** Serves a listener on a free loopback port. */
export async function listening(listener: RequestListener): Promise<Running> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
