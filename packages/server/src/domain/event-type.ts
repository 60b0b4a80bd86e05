/** The types that an endpoint gets if it names none. Statistics count only these outcomes. */
export const defaultEventTypes = [
  'email.delivered',
  'email.bounced',
  'email.failed',
  'email.unsubscribed',
] as const

/** The types that an endpoint gets only if it names them. */
const optInEventTypes = ['email.complained', 'email.deferred', 'email.suppressed'] as const

export type DefaultEventType = (typeof defaultEventTypes)[number]
export type OptInEventType = (typeof optInEventTypes)[number]
export type EventType = DefaultEventType | OptInEventType

const optIns: ReadonlySet<EventType> = new Set(optInEventTypes)

/** Whether an endpoint gets this type only if it names it. Nothing is stored of an event of this type that no endpoint gets. */
export function isOptIn(type: EventType): type is OptInEventType {
  return optIns.has(type)
}
