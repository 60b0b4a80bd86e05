import type { RequestListener } from 'node:http'
import type { WebhookEvent } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createNodeHandler } from '@posthorn/receiver/node'

/** A receiver with only Node's HTTP server: `createServer(createReceiver(…)).listen(3000)`. */
export function createReceiver(
  secret: string,
  processEvent: (event: WebhookEvent) => unknown,
): RequestListener {
  // For a single process. Several processes share redisStore or postgresStore.
  const store = memoryStore()
  const handle = createNodeHandler(
    { secrets: secret, dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
    async event => await processEvent(event),
  )
  return (request, response) => void handle(request, response)
}
