import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What an example is started with. */
export interface ExampleOptions {
  readonly secret: string
  /** Of loopback; 0 for any that is free. */
  readonly port: number
  /** Learns the id of each event that the example has processed. */
  readonly onProcessed: (id: string) => void
}

/** An example that listens. */
export interface StartedExample {
  /** Without a path. */
  readonly url: string
  stop(): Promise<void>
}

/** Every example's `start.ts` exports one. */
export type StartExample = (options: ExampleOptions) => Promise<StartedExample>

/** Serves an example on a port of loopback. */
export async function served(listener: RequestListener, port = 0): Promise<StartedExample> {
  const server = createServer(listener)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
