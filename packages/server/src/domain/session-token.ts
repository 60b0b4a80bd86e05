/** A new session token: `phs_` and 256 random bits in base64url. */
export function makeSessionToken(randomBytes: (length: number) => Uint8Array): string {
  return `phs_${Buffer.from(randomBytes(32)).toString('base64url')}`
}

/** Whether `text` has the form of a session token. */
export function isSessionToken(text: string): boolean {
  return /^phs_[\w-]{43}$/.test(text)
}

/** A new secret for a portal link: `phl_` and 256 random bits in base64url. It works once. */
export function makePortalLinkToken(randomBytes: (length: number) => Uint8Array): string {
  return `phl_${Buffer.from(randomBytes(32)).toString('base64url')}`
}
