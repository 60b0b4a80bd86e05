import { getRequestListener } from '@hono/node-server'
import { describeExample } from '../receiver-suite.ts'
import { served } from '../served.ts'
import { createApp } from './receiver.ts'

describeExample('Hono', async secret => {
  const processed: string[] = []
  const app = createApp(secret, event => processed.push(event.id))
  const listener = getRequestListener(app.fetch)
  return await served((request, response) => void listener(request, response), processed)
})
