/** What made an attempt take place. */
export const attemptTriggers = ['schedule', 'manual', 'replay', 'test'] as const

export type AttemptTrigger = (typeof attemptTriggers)[number]
