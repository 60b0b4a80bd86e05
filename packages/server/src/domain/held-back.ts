/**
 * Why deliveries that are due are not sent: their endpoint fails, is disabled, is at its rate limit, or drains its backlog
 * slowly. None of them is a problem of Posthorn.
 */
export const heldBackReasons = ['failing', 'disabled', 'rate_limit', 'drain'] as const

export type HeldBackReason = (typeof heldBackReasons)[number]
