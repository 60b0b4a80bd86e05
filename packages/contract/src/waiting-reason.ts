/** What a delivery waits for. If several apply, the first in this order counts. */
export const waitingReasons = ['disabled', 'retry', 'drain', 'rate_limit', 'backlog', 'capacity'] as const

export type WaitingReason = (typeof waitingReasons)[number]

/** The highest number of deliveries that the API counts ahead of one: this number means that many or more. */
export const aheadMax = 10_000
