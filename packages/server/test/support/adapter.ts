import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createNodeHandler } from '@posthorn/receiver/node'

/** A customer's receiver: the library's adapter, with secrets that the test can change. */
export async function openAdapter(secrets: string[]) {
  let handler = createNodeHandler({ secrets }, () => {})
  const server = createServer((request, response) => void handler(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    configure: (next: string[]) => {
      handler = createNodeHandler({ secrets: next }, () => {})
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
