import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createVerifier, type WebhookEvent } from '@posthorn/receiver'

/** One delivery that passed verification. */
export interface Arrival {
  readonly event: WebhookEvent
  /** Each signature that matches a secret, such as `v1 by old`. */
  readonly verifiedBy: readonly string[]
  readonly attempt: number
  readonly sequence: number
}

/** A customer's server, which first verifies each request with `@posthorn/receiver`. */
export class Receiver implements AsyncDisposable {
  readonly url: string
  /** Ids of the events that were verified and acknowledged. */
  readonly acknowledged = new Set<string>()
  /** How many requests failed verification. */
  refusedCount = 0
  readonly #server: ReturnType<typeof createServer>
  readonly #onArrival: (arrival: Arrival) => number
  #answer: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 })

  private constructor(server: ReturnType<typeof createServer>, onArrival: (arrival: Arrival) => number) {
    this.#server = server
    this.#onArrival = onArrival
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
  }

  /** Listens on a free loopback port. `onArrival` decides the status of the answer. */
  static async open(onArrival: (arrival: Arrival) => number): Promise<Receiver> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const receiver = new Receiver(server, onArrival)
    server.on('request', (incoming, outgoing) => void receiver.#serve(incoming, outgoing))
    return receiver
  }

  /** Replaces the secrets, like a new configuration. */
  useSecrets(secrets: Readonly<Record<string, string>>): void {
    const names = Object.keys(secrets)
    this.#answer = createVerifier({ secrets: Object.values(secrets) }).toHandler(
      (event, { request, verified }) => {
        const number = (name: string): number => Number(request.headers.get(name))
        const status = this.#onArrival({
          event,
          verifiedBy: verified.matches.map(match => `${match.partName} by ${names[match.secretIndex]}`),
          attempt: number('x-service-attempt'),
          sequence: number('x-service-sequence'),
        })
        if (status === 200) this.acknowledged.add(event.id)
        return new Response(null, { status })
      },
      { onError: () => this.refusedCount++ },
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  /** Converts a Node request to a web request, and the web response back. */
  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const headers = new Headers()
    for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
      for (const value of values) headers.append(name, value)
    }
    const body = await buffer(incoming)
    const response = await this.#answer(new Request(this.url, { method: 'POST', headers, body }))
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(await response.text())
  }
}
