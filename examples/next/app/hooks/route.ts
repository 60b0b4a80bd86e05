import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createNextHandler } from '@posthorn/receiver/next'
import { processEvent } from '../../process-event.ts'

const store = memoryStore()
let handle: ((request: Request) => Promise<Response>) | undefined

/** The webhook of a Next.js app with the App Router. */
export function POST(request: Request): Promise<Response> {
  // Created at the first request, because Next.js builds the app without its secrets.
  handle ??= createNextHandler(
    {
      secrets: process.env['POSTHORN_SECRET'] ?? '',
      dedupe: (id, fn, seen) => processOnce(store, id, fn, seen),
    },
    processEvent,
  )
  return handle(request)
}
