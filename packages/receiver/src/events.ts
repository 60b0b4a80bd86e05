import type {
  EmailBouncedData,
  EmailComplainedData,
  EmailDeferredData,
  EmailDeliveredData,
  EmailFailedData,
  EmailSuppressedData,
  EmailUnsubscribedData,
} from './event-data.ts'

/** The body of every webhook. */
export interface Envelope<T extends string, D> {
  /** Unique. It stays the same when the event is delivered again. */
  id: string
  type: T
  data: D
  /** When Posthorn created the event (RFC 3339, UTC). */
  created_at: string
}

/** The event types that this version knows, with their data. */
export interface EventMap {
  'email.delivered': EmailDeliveredData
  'email.bounced': EmailBouncedData
  'email.failed': EmailFailedData
  'email.unsubscribed': EmailUnsubscribedData
  'email.complained': EmailComplainedData
  'email.deferred': EmailDeferredData
  'email.suppressed': EmailSuppressedData
}

/**
 * The events that this version knows, distinguished by `type`. New types may arrive before you update. They have the
 * same envelope, and `isKnownEvent` or `route({ unknown })` handles them. This union omits them so that TypeScript can
 * narrow `data`.
 */
export type KnownEvent = { [K in keyof EventMap]: Envelope<K, EventMap[K]> }[keyof EventMap]

/** An alias of `KnownEvent`. */
export type WebhookEvent = KnownEvent

/** An event of a known or unknown type. */
export type AnyEvent = Envelope<string, unknown>

/** The names of `EventMap`. Shorter than a list of them. */
const KNOWN_TYPE = /^email\.(delivered|bounced|failed|unsubscribed|complained|deferred|suppressed)$/

/**
 * Whether an event has the given type. Narrows its `data`.
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
 * Whether this version knows the type of the event. Answer 2xx to unknown types too, or Posthorn sends them again.
 *
 * @example
 * const event = await verifier.constructEvent(body, headers)
 * if (isKnownEvent(event)) await updateContact(event)
 */
export function isKnownEvent(event: AnyEvent): event is KnownEvent {
  return KNOWN_TYPE.test(event.type)
}
