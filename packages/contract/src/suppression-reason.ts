/** Why an address is not written to. */
export const suppressionReasons = ['bounce', 'domain_bounce', 'complaint', 'unsubscribe', 'manual'] as const

export type SuppressionReason = (typeof suppressionReasons)[number]

/** Whether a suppression holds mail back: `lapsed` by itself, `lifted` by somebody. */
export const suppressionStates = ['active', 'lapsed', 'lifted'] as const

export type SuppressionState = (typeof suppressionStates)[number]
