import type {
  EmailBouncedData,
  EmailDeliveredData,
  EmailFailedData,
  EmailUnsubscribedData,
} from './event-data.ts'

/** The body of every webhook. */
export interface Envelope<T extends string, D> {
  /** Unique; the same in every delivery of the same event. */
  id: string
  type: T
  data: D
  /** RFC 3339 UTC. */
  created_at: string
}

/** The types of events this version knows, with their data. */
export interface EventMap {
  'email.delivered': EmailDeliveredData
  'email.bounced': EmailBouncedData
  'email.failed': EmailFailedData
  'email.unsubscribed': EmailUnsubscribedData
}

/**
 * The events this version knows, told apart by `type`. New types may arrive before you update; they have the
 * same envelope, and `isKnownEvent` or `route({ unknown })` catches them. They are left out of this union because
 * TypeScript could not narrow `data` otherwise.
 */
export type KnownEvent = { [K in keyof EventMap]: Envelope<K, EventMap[K]> }[keyof EventMap]

/** Another name of `KnownEvent`. */
export type WebhookEvent = KnownEvent

/** Any event, of a known type or not. */
export type AnyEvent = Envelope<string, unknown>

const KNOWN_TYPES: Record<keyof EventMap, true> = {
  'email.delivered': true,
  'email.bounced': true,
  'email.failed': true,
  'email.unsubscribed': true,
}

/**
 * Whether an event is of one type; narrows its `data`.
 *
 * @example
 * const event = await verifier.constructEvent(body, headers)
 * if (isEvent(event, 'email.bounced')) await suppress(event.data.recipient)
 */
export function isEvent<K extends keyof EventMap>(
  event: AnyEvent,
  type: K,
): event is Envelope<K, EventMap[K]> {
  return event.type === type
}

/**
 * Whether this version knows the event's type. Answer 2xx to the others as well, or they are sent again.
 *
 * @example
 * const event = await verifier.constructEvent(body, headers)
 * if (isKnownEvent(event)) await updateContact(event)
 */
export function isKnownEvent(event: AnyEvent): event is KnownEvent {
  return Object.hasOwn(KNOWN_TYPES, event.type)
}
