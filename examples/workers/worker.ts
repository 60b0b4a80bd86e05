import { createVerifier } from '@posthorn/receiver'
import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'

// One isolate remembers in memory; a Durable Object or a database would remember for all of them.
const store = memoryStore()
const processed: string[] = []

const worker = {
  /** A Worker that receives webhooks, and lists what it has processed. */
  async fetch(request: Request, env: { POSTHORN_SECRET: string }): Promise<Response> {
    if (new URL(request.url).pathname === '/processed') return Response.json(processed)
    const verifier = createVerifier({ secrets: env.POSTHORN_SECRET })
    const handle = verifier.toHandler(event => void processed.push(event.id), {
      dedupe: (id, fn, seen) => processOnce(store, id, fn, seen),
    })
    return await handle(request)
  },
}

// Workers look for the default export.
// oxlint-disable-next-line import/no-default-export
export { worker as default }
