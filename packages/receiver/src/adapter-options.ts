import type { VerifierOptions } from './check-options.ts'
import type { WebhookEvent } from './events.ts'
import type { HandlerContext, HandlerOptions } from './receive.ts'

/** The options of every adapter: those of a verifier and those of a handler. */
export interface AdapterOptions extends VerifierOptions, HandlerOptions {}

/**
 * Processes an event. The adapter answers 200 whatever this function returns. If it throws, Posthorn sends the event
 * again.
 */
export type EventHandler<R, E = WebhookEvent> = (event: E, context: HandlerContext<R>) => unknown
