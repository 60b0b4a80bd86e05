import { type AnyEvent, type Envelope, type EventMap, isKnownEvent } from './events.ts'

/** One function for each type you care about, and `unknown` for types this version does not know. */
export type Routes = { [K in keyof EventMap]?: (event: Envelope<K, EventMap[K]>) => unknown } & {
  unknown?: (event: AnyEvent) => unknown
}

/**
 * Makes one function out of one per event type. A known type without a function is left alone.
 *
 * @example
 * const handle = route({ 'email.bounced': event => suppress(event.data.recipient) })
 * await handle(await verifier.constructEvent(body, headers))
 */
export function route(routes: Routes): (event: AnyEvent) => Promise<void> {
  return async event => {
    await (isKnownEvent(event) ? functionFor(routes, event.type) : routes.unknown)?.(event)
  }
}

/** The function under a type takes the event of that type, which TypeScript cannot follow through the lookup. */
function functionFor(routes: Routes, type: keyof EventMap): Routes['unknown'] {
  return routes[type] as Routes['unknown']
}
