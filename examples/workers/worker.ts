import { createVerifier } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'

// One isolate remembers in memory; a Durable Object or a database would remember for all of them.
const store = memoryStore()

const worker = {
  /** A Worker that receives webhooks, and hands each event to another service of yours. */
  async fetch(request: Request, env: { POSTHORN_SECRET: string; EVENTS_URL: string }): Promise<Response> {
    const verifier = createVerifier({ secrets: env.POSTHORN_SECRET })
    const handle = verifier.toHandler(
      async event => {
        const answer = await fetch(env.EVENTS_URL, { method: 'POST', body: event.id })
        if (!answer.ok) throw new Error(`the event was not taken: ${answer.status}`)
      },
      { dedupe: (id, fn, seen) => processOnce(store, id, fn, seen) },
    )
    return await handle(request)
  },
}

// Workers look for the default export.
export { worker as default }
