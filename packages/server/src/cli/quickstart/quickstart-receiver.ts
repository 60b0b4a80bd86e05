import { calledAs } from '../called-as.ts'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookEvent } from '@posthorn/receiver'
import { createNodeHandler } from '@posthorn/receiver/node'
import { CommandError } from '../command-error.ts'
import { printError } from '../print.ts'
import { receiverHost } from './receiver-url.ts'

/** A receiver like a customer's: it verifies each request with @posthorn/receiver. */
export class QuickstartReceiver {
  readonly #server: Server = createServer()
  readonly #arrived = new Map<string, PromiseWithResolvers<WebhookEvent>>()

  /**
   * @param port 0 picks a free port
   * @returns the port in use
   */
  async listen(port: number): Promise<number> {
    this.#server.listen(port, receiverHost)
    try {
      await once(this.#server, 'listening')
    } catch (error) {
      const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      const advice = isInUse
        ? 'stop the other posthorn quickstart, or the program that uses the port'
        : `run ${calledAs()} quickstart --remove, then ${calledAs()} quickstart`
      throw new CommandError('port_unusable', `cannot listen on ${receiverHost}:${port}: ${advice}`, {
        cause: error,
      })
    }
    return (this.#server.address() as AddressInfo).port
  }

  /** Starts answering requests, and passes each verified event to `show`. */
  accept(secret: string, show: (event: WebhookEvent) => void): void {
    const verified = new WeakMap<object, WebhookEvent>()
    const options = { secrets: secret, onError: printRejection }
    const handle = createNodeHandler(options, (event, { request }) => {
      show(event)
      verified.set(request, event)
    })
    this.#server.on('request', (request, response) => {
      // the receiver may stop at any time, so Posthorn must not use the connection again
      response.setHeader('connection', 'close')
      response.once('finish', () => {
        const event = verified.get(request)
        if (event !== undefined) this.#arrival(event.id).resolve(event)
      })
      void handle(request, response)
    })
  }

  /** Resolves with the event when it is verified and answered, or with null after the timeout. */
  async arrived(eventId: string, timeoutMs: number): Promise<WebhookEvent | null> {
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(() => late.resolve(null), timeoutMs)
    try {
      return await Promise.race([this.#arrival(eventId).promise, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Stops at once. If a request has no answer yet, Posthorn sends its event again later. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    // a client that sends nothing would keep the server open
    this.#server.closeAllConnections()
    await closed
  }

  /** Creates the entry on first use, because the event may arrive before we know its id. */
  #arrival(eventId: string): PromiseWithResolvers<WebhookEvent> {
    const known = this.#arrived.get(eventId)
    if (known !== undefined) return known
    const arrival = Promise.withResolvers<WebhookEvent>()
    this.#arrived.set(eventId, arrival)
    return arrival
  }
}

function printRejection(error: unknown): void {
  printError(`Rejected a request: ${error instanceof Error ? error.message : String(error)}`)
}
