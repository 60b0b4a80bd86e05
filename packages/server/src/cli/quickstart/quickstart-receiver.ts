import { calledAs } from '../called-as.ts'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookEvent } from '@posthorn/receiver'
import { createNodeHandler } from '@posthorn/receiver/node'
import { CommandError } from '../command-error.ts'
import { complain } from '../print.ts'
import { receiverHost } from './receiver-url.ts'

/** A receiver as customers write it, on this machine: it verifies each request with @posthorn/receiver. */
export class QuickstartReceiver {
  readonly #server: Server = createServer()
  readonly #arrived = new Map<string, PromiseWithResolvers<WebhookEvent>>()

  /**
   * @param port 0 takes a free one
   * @returns the port on which it listens
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

  /** From now on answers requests; `show` is given each event whose signature is right. */
  accept(secret: string, show: (event: WebhookEvent) => void): void {
    const options = { secrets: secret, onError: complainOfRefused }
    const handle = createNodeHandler(options, event => {
      show(event)
      this.#arrival(event.id).resolve(event)
    })
    this.#server.on('request', (request, response) => {
      // closing waits until each answer is sent, and for no connection that stays open
      response.setHeader('connection', 'close')
      void handle(request, response)
    })
  }

  /** The event once it was verified; null if it does not arrive in time. */
  async arrived(eventId: string, timeoutMs: number): Promise<WebhookEvent | null> {
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(() => late.resolve(null), timeoutMs)
    try {
      return await Promise.race([this.#arrival(eventId).promise, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    await closed
  }

  /** An event may arrive before the answer that names its id. */
  #arrival(eventId: string): PromiseWithResolvers<WebhookEvent> {
    const known = this.#arrived.get(eventId)
    if (known !== undefined) return known
    const arrival = Promise.withResolvers<WebhookEvent>()
    this.#arrived.set(eventId, arrival)
    return arrival
  }
}

function complainOfRefused(error: unknown): void {
  complain(`Refused a request: ${error instanceof Error ? error.message : String(error)}`)
}
