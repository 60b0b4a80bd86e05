import type { WebhookEvent } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createHonoHandler } from '@posthorn/receiver/hono'
import { Hono } from 'hono'

/** A Hono app with a webhook. */
export function createApp(secret: string, processEvent: (event: WebhookEvent) => unknown): Hono {
  const store = memoryStore()
  const app = new Hono()
  app.all(
    '/hooks',
    createHonoHandler(
      { secrets: secret, dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
      async event => {
        await processEvent(event)
      },
    ),
  )
  return app
}
