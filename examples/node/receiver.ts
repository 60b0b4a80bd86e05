import { createServer, type Server } from 'node:http'
import type { WebhookEvent } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createNodeHandler } from '@posthorn/receiver/node'

/** A receiver with nothing but Node's own HTTP server. */
export function createReceiver(secret: string, processEvent: (event: WebhookEvent) => unknown): Server {
  // One process remembers in memory; several share redisStore or postgresStore.
  const store = memoryStore()
  const handle = createNodeHandler(
    { secrets: secret, dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
    async event => await processEvent(event),
  )
  return createServer((request, response) => void handle(request, response))
}
