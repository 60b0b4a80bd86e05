/** Why an address is suppressed. */
export const suppressionReasons = ['bounce', 'domain_bounce', 'complaint', 'unsubscribe', 'manual'] as const

/** How far active suppressions of a reason are counted. */
export const suppressionCountMax = 1_000

export type SuppressionReason = (typeof suppressionReasons)[number]

/** Only `active` suppressions stop emails. `lapsed`: expired by itself. `lifted`: removed by a person. */
export const suppressionStates = ['active', 'lapsed', 'lifted'] as const

export type SuppressionState = (typeof suppressionStates)[number]
