import { getRequestListener } from '@hono/node-server'
import { served, type StartExample } from '../served.ts'
import { createApp } from './receiver.ts'

/** Starts the Hono example on Node. */
export const start: StartExample = async ({ secret, port, onProcessed }) => {
  const app = createApp(secret, event => onProcessed(event.id))
  const listener = getRequestListener(app.fetch)
  return await served((request, response) => void listener(request, response), port)
}
