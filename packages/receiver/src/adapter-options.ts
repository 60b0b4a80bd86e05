import type { VerifierOptions } from './check-options.ts'
import type { WebhookEvent } from './events.ts'
import type { HandlerContext, HandlerOptions } from './receive.ts'

/** What every adapter takes: the options of a verifier and those of a handler. */
export interface AdapterOptions extends VerifierOptions, HandlerOptions {}

/**
 * What to do with an event, where the adapter writes the answer: 200 whatever it returns. Throw to have the event
 * sent again.
 */
export type EventHandler<R, E = WebhookEvent> = (event: E, context: HandlerContext<R>) => unknown
