import { served, type StartExample } from '../served.ts'
import { createReceiver } from './receiver.ts'

/** Starts the example that needs only Node. */
export const start: StartExample = async ({ secret, port, onProcessed }) =>
  await served(
    createReceiver(secret, event => onProcessed(event.id)),
    port,
  )
