/**
 * Why deliveries that are due are not sent: their endpoint fails, is disabled, is at its rate limit, drains its backlog
 * slowly, or answers so slowly that it is at its limit of attempts in flight. None of them is a problem of Posthorn.
 */
export const heldBackReasons = ['failing', 'disabled', 'rate_limit', 'drain', 'in_flight'] as const

export type HeldBackReason = (typeof heldBackReasons)[number]
