import type { WebhookEvent } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createFastifyPlugin } from '@posthorn/receiver/fastify'
import fastify, { type FastifyInstance } from 'fastify'

/** A Fastify app with a webhook and JSON routes. */
export async function createApp(
  secret: string,
  processEvent: (event: WebhookEvent) => unknown,
): Promise<FastifyInstance> {
  const store = memoryStore()
  const app = fastify({ forceCloseConnections: true })
  await app.register(
    createFastifyPlugin(
      { path: '/hooks', secrets: secret, dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
      processEvent,
    ),
  )
  app.post('/api', async request => request.body)
  return app
}
