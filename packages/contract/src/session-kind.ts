/** Which credential opened a session: an API key, a portal link, or the operator token. */
export const sessionKinds = ['account', 'portal', 'operator'] as const

export type SessionKind = (typeof sessionKinds)[number]
