import { describeExample } from '../receiver-suite.ts'
import { served } from '../served.ts'
import { createReceiver } from './receiver.ts'

describeExample('Node', async secret => {
  const processed: string[] = []
  const server = createReceiver(secret, event => processed.push(event.id))
  return await served((request, response) => void server.emit('request', request, response), processed)
})
