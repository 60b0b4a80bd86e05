import type { StartExample } from '../served.ts'
import { createApp } from './receiver.ts'

/** Starts the Fastify example. */
export const start: StartExample = async ({ secret, port, onProcessed }) => {
  const app = await createApp(secret, event => onProcessed(event.id))
  return { url: await app.listen({ port, host: '127.0.0.1' }), stop: () => app.close() }
}
