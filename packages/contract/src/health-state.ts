/** The health of an endpoint in one word. If several apply, the first in this order counts. */
export const healthStates = ['disabled', 'failing', 'degraded', 'new', 'quiet', 'healthy'] as const

export type HealthState = (typeof healthStates)[number]
