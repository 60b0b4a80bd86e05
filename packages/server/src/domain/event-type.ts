/** The event types, in the order of the database's enumeration. */
export const eventTypes = ['email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed'] as const

export type EventType = (typeof eventTypes)[number]
