import { type AnyEvent, type Envelope, type EventMap, isKnownEvent } from './events.ts'

/** One function for each type that you handle, and `unknown` for types that this version does not know. */
export type Routes = { [K in keyof EventMap]?: (event: Envelope<K, EventMap[K]>) => unknown } & {
  unknown?: (event: AnyEvent) => unknown
}

/**
 * Combines one function per event type into one. A known type without a function is ignored.
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

/** Safe, because each function accepts the event of its type. TypeScript cannot infer that from the lookup. */
function functionFor(routes: Routes, type: keyof EventMap): Routes['unknown'] {
  return routes[type] as Routes['unknown']
}
