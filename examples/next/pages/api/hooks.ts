import { memoryStore, processOnce } from '@posthorn/receiver/dedupe'
import { createNextPagesHandler } from '@posthorn/receiver/next'
import { processEvent } from '../../process-event.ts'

// The handler reads the raw body itself.
export const config = { api: { bodyParser: false } }

const store = memoryStore()
let handle: ReturnType<typeof createNextPagesHandler> | undefined

/** The webhook of a Next.js app with the Pages Router, which needs the default export. */
// oxlint-disable-next-line import/no-default-export
export default function hooks(...args: Parameters<ReturnType<typeof createNextPagesHandler>>): Promise<void> {
  handle ??= createNextPagesHandler(
    {
      secrets: process.env['POSTHORN_SECRET'] ?? '',
      dedupe: (id, fn, seen) => processOnce(store, id, fn, seen),
    },
    processEvent,
  )
  return handle(...args)
}
