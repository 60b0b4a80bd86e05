/** How an endpoint fares, in a word. Of several that hold the first in this order is told. */
export const healthStates = ['disabled', 'failing', 'new', 'quiet', 'healthy'] as const

export type HealthState = (typeof healthStates)[number]
