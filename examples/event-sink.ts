import { text } from 'node:stream/consumers'
import { served, type StartedExample } from './served.ts'

/** Receives the ids of processed events from examples that run in their own process. */
export async function startEventSink(onProcessed: (id: string) => void): Promise<StartedExample> {
  return await served((request, response) => {
    void text(request).then(id => {
      onProcessed(id)
      response.end()
    })
  })
}
