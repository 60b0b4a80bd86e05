import { createVerifier } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'

// The memory of one isolate. To share it among all isolates, use a Durable Object or a database.
const store = memoryStore()

const worker = {
  /** A Worker that receives webhooks and sends the id of each event to another service. */
  async fetch(request: Request, env: { POSTHORN_SECRET: string; EVENTS_URL: string }): Promise<Response> {
    const verifier = createVerifier({ secrets: env.POSTHORN_SECRET })
    const handle = verifier.toHandler(
      async event => {
        const answer = await fetch(env.EVENTS_URL, { method: 'POST', body: event.id })
        if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
      },
      { dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
    )
    return await handle(request)
  },
}

// Workers need the default export.
export { worker as default }
