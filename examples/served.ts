import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The options to start an example. */
export interface ExampleOptions {
  readonly secret: string
  /** A port on loopback. 0 picks a free port. */
  readonly port: number
  /** Called with the id of each event that the example has processed. */
  readonly onProcessed: (id: string) => void
}

/** A running example. */
export interface StartedExample {
  /** The URL without a path. */
  readonly url: string
  stop(): Promise<void>
}

/** The function that the `start.ts` of every example exports. */
export type StartExample = (options: ExampleOptions) => Promise<StartedExample>

/** Serves an example on loopback. */
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
