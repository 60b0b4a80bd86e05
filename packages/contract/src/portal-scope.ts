/** The scopes that a portal session may have. It can never report outcomes. */
export const portalScopes = ['read', 'send'] as const

export type PortalScope = (typeof portalScopes)[number]
