/** The scopes that a portal session may have. It can never report outcomes. */
export const portalScopes = ['read', 'send', 'keys'] as const

export type PortalScope = (typeof portalScopes)[number]

/** What a portal link allows unless the operator chooses. `keys` is left out, because a key outlives the session. */
export const defaultPortalScopes = ['read', 'send'] as const satisfies readonly PortalScope[]
