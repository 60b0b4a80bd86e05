/** What the creator of an API key may pass on to it. */
export interface KeyGrant {
  readonly scopes: readonly string[]
  /** The latest expiry of a new key. Null if it need not expire. */
  readonly keysExpireBy: Date | null
}

/** The wanted scopes that the grant does not have. */
export function scopesBeyond<Scope extends string>(grant: KeyGrant, wanted: readonly Scope[]): Scope[] {
  return wanted.filter(scope => !grant.scopes.includes(scope))
}

/**
 * When a new key expires: as late as the grant allows if nothing was asked for. `too_late` if null or a time beyond the
 * grant was asked for.
 */
export function keyExpiry(
  { keysExpireBy }: KeyGrant,
  wanted: string | null | undefined,
): { expiresAt: string | null } | 'too_late' {
  if (wanted === undefined) return { expiresAt: keysExpireBy?.toISOString() ?? null }
  if (keysExpireBy === null) return { expiresAt: wanted }
  return wanted !== null && Date.parse(wanted) <= keysExpireBy.getTime() ? { expiresAt: wanted } : 'too_late'
}
