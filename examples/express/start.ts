import { served, type StartExample } from '../served.ts'
import { createApp } from './receiver.ts'

/** Starts the Express example. */
export const start: StartExample = async ({ secret, port, onProcessed }) =>
  await served(
    createApp(secret, event => onProcessed(event.id)),
    port,
  )
