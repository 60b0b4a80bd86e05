import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './until.ts'

/** A request that the receiver got. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  signature: string
  eventId: string
  sequence: number
  attempt: number
  body: Buffer
  atMs: number
}

/** A customer's endpoint on loopback. It records requests and answers as the test says. */
export interface Receiver extends AsyncDisposable {
  /** The URL with this path. Each path can be a separate endpoint. */
  url(path?: string): string
  received: Received[]
  /** How often each event arrived, by event id. */
  counts(): Map<string, number>
  /** Waits until `count` distinct events have arrived. */
  waitForEvents(count: number, timeoutMs?: number): Promise<void>
  /** Changes the answer. If `respond` returns undefined, it answers itself, or never. */
  respondWith(respond: Respond): void
}

export type Respond = (received: Received, response: ServerResponse) => number | undefined

export async function startReceiver(respond: Respond = () => 204): Promise<Receiver> {
  let answer = respond
  const received: Received[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const header = (name: string): string => String(request.headers[name] ?? '')
      const one: Received = {
        path: request.url ?? '',
        headers: request.headers,
        signature: header('x-service-signature'),
        eventId: header('x-service-event-id'),
        sequence: Number(header('x-service-sequence')),
        attempt: Number(header('x-service-attempt')),
        body: Buffer.concat(parts),
        atMs: Date.now(),
      }
      received.push(one)
      const status = answer(one, response)
      if (status !== undefined) response.writeHead(status).end()
    })
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const counts = (): Map<string, number> => {
    const byEvent = new Map<string, number>()
    for (const { eventId } of received) byEvent.set(eventId, (byEvent.get(eventId) ?? 0) + 1)
    return byEvent
  }
  return {
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    received,
    counts,
    waitForEvents: async (count, timeoutMs) => {
      await until(
        `${count} events have arrived (${counts().size} have)`,
        () => received.length >= count && counts().size >= count,
        timeoutMs,
      )
    },
    respondWith: next => {
      answer = next
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
