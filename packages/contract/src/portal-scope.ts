/** What a portal session may do: never report outcomes. */
export const portalScopes = ['read', 'send'] as const

export type PortalScope = (typeof portalScopes)[number]
