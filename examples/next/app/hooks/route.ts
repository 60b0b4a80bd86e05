import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createNextHandler } from '@posthorn/receiver/next'
import { processed } from '../../processed.ts'

const store = memoryStore()

/** The webhook of a Next.js app, in the App Router. */
export const POST = (request: Request): Promise<Response> =>
  // Made at the first request: Next.js builds without the secrets of the running app.
  createNextHandler(
    {
      secrets: process.env['POSTHORN_SECRET'] ?? '',
      dedupe: (id, fn, seen) => processOnce(store, id, fn, seen),
    },
    event => void processed.push(event.id),
  )(request)
