import type { WebhookEvent } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createExpressHandler } from '@posthorn/receiver/express'
import express from 'express'

/** An Express app with a webhook and JSON routes. */
export function createApp(secret: string, processEvent: (event: WebhookEvent) => unknown): express.Express {
  const store = memoryStore()
  const app = express()
  // Mount it before express.json(), so that the handler reads the raw body.
  app.all(
    '/hooks',
    createExpressHandler(
      { secrets: secret, dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
      processEvent,
    ),
  )
  app.use(express.json())
  app.post('/api', (request, response) => void response.json(request.body))
  return app
}
