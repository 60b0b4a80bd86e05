/** The four kinds of events. */
export const eventTypes = ['email.delivered', 'email.bounced', 'email.failed', 'email.unsubscribed'] as const

export type EventType = (typeof eventTypes)[number]
