/** Where a browser begins to sign in by OpenID Connect, and where the provider sends it back to. */
export const oidcPaths = { start: '/sign-in/oidc', callback: '/sign-in/oidc/callback' } as const
