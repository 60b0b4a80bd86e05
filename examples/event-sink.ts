import { text } from 'node:stream/consumers'
import { served, type StartedExample } from './served.ts'

/** Where the examples that run in a process of their own report each event they have processed. */
export async function startEventSink(onProcessed: (id: string) => void): Promise<StartedExample> {
  return await served((request, response) => {
    void text(request).then(id => {
      onProcessed(id)
      response.end()
    })
  })
}
