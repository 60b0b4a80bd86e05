import { describeExample } from '../receiver-suite.ts'
import { served } from '../served.ts'
import { createApp } from './receiver.ts'

describeExample('Express', async secret => {
  const processed: string[] = []
  return await served(
    createApp(secret, event => processed.push(event.id)),
    processed,
  )
})
