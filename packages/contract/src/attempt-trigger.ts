/** What started an attempt. */
export const attemptTriggers = ['schedule', 'manual', 'replay', 'test'] as const

export type AttemptTrigger = (typeof attemptTriggers)[number]
