/** The types that an endpoint gets if it names none: the outcomes of emails. */
export const defaultEventTypes = [
  'email.delivered',
  'email.bounced',
  'email.failed',
  'email.unsubscribed',
] as const

/** The types that an endpoint gets only if it names them. */
export const optInEventTypes = ['email.complained', 'email.deferred', 'email.suppressed'] as const

/** Every type of event. */
export const eventTypes = [...defaultEventTypes, ...optInEventTypes] as const

export type DefaultEventType = (typeof defaultEventTypes)[number]
export type OptInEventType = (typeof optInEventTypes)[number]
export type EventType = (typeof eventTypes)[number]
