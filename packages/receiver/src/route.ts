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
 * await handle(event)
 */
export function route(routes: Routes): (event: AnyEvent) => Promise<void> {
  return async event => {
    if (!isKnownEvent(event)) {
      await routes.unknown?.(event)
      return
    }
    switch (event.type) {
      case 'email.delivered':
        await routes[event.type]?.(event)
        return
      case 'email.bounced':
        await routes[event.type]?.(event)
        return
      case 'email.failed':
        await routes[event.type]?.(event)
        return
      case 'email.unsubscribed':
        await routes[event.type]?.(event)
    }
  }
}
