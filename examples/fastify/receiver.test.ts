import { describeExample } from '../receiver-suite.ts'
import { asInit } from '../served.ts'
import { createApp } from './receiver.ts'

describeExample('Fastify', async secret => {
  const processed: string[] = []
  const app = await createApp(secret, event => processed.push(event.id))
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    processed,
    send: async request => await fetch(`${address}/hooks`, await asInit(request)),
    stop: () => app.close(),
  }
})
